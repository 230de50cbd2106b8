// How frames reach the page: through the shared worker where there is one, else
// by a connection of its own while the tab is visible.

// listen calls onFrames with frames as they come, and onLink with the state of
// the connection: "connecting", "live" or "reconnecting".
export function listen(onFrames, onLink) {
  if (window.SharedWorker) share(onFrames, onLink);
  else connect(onFrames, onLink);
}

function share(onFrames, onLink) {
  let port = null;
  const join = () => {
    port = new SharedWorker('worker.js').port;
    port.onmessage = ({ data }) => {
      if (data.link) onLink(data.link);
      if (!data.frames) return;
      onFrames(data.frames);
      port?.postMessage('ready');
    };
  };
  const leave = () => {
    port?.postMessage('bye');
    port = null;
  };
  join();
  addEventListener('pagehide', leave);
  addEventListener('pageshow', event => { if (event.persisted) join(); });
}

function connect(onFrames, onLink) {
  let source = null;
  const open = () => {
    source = new EventSource('events');
    source.onopen = () => onLink('live');
    source.onerror = () => onLink('reconnecting');
    source.onmessage = event => onFrames([JSON.parse(event.data)]);
  };
  const follow = () => {
    source?.close();
    source = null;
    if (document.visibilityState === 'visible') open();
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}
