// A shared worker: one connection to the server for all tabs, since a browser
// opens six to a host and a stream takes one for good.
//
// A tab says when it is ready for more. What comes meanwhile waits here, the
// latest frame of each pipeline only, so a tab that sleeps costs nothing.

const tabs = new Set();
let source = null;
let link = 'connecting';

onconnect = event => {
  const tab = { port: event.ports[0], ready: true, waiting: new Map() };
  tabs.add(tab);
  tab.port.onmessage = message => (message.data === 'bye' ? leave(tab) : ready(tab));
  tab.port.postMessage({ link });
  if (!source) open();
};

function open() {
  source = new EventSource('events');
  source.onopen = () => tell('live');
  source.onerror = () => tell('reconnecting');
  source.onmessage = event => {
    const frame = JSON.parse(event.data);
    for (const tab of tabs) {
      tab.waiting.set(frame.id, frame);
      flush(tab);
    }
  };
}

function tell(state) {
  link = state;
  for (const tab of tabs) tab.port.postMessage({ link });
  if (source.readyState === EventSource.CLOSED) setTimeout(reopen, 2000);
}

function reopen() {
  if (source?.readyState === EventSource.CLOSED) open();
}

function ready(tab) {
  tab.ready = true;
  flush(tab);
}

function flush(tab) {
  if (!tab.ready || tab.waiting.size === 0) return;
  tab.port.postMessage({ frames: [...tab.waiting.values()] });
  tab.waiting.clear();
  tab.ready = false;
}

function leave(tab) {
  tabs.delete(tab);
  if (tabs.size === 0 && source) {
    source.close();
    source = null;
  }
}
