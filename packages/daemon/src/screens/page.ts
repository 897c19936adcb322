// The page on which a person acts in a session: its picture, and what is done on it sent back (D17). It holds no secret: its ticket stands in its address's fragment.
import { randomBytes } from 'node:crypto';
import type { OpenRoute } from '@weft/serve';

/** `GET /screen`. */
export const screenRoute: OpenRoute = {
  methods: ['GET'],
  answer: () => {
    const nonce = randomBytes(16).toString('base64');
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      },
      body: HTML.replaceAll('NONCE', nonce),
    };
  },
};

const STYLE = `body{font:15px/1.4 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:1fr 18rem;min-height:100vh;color:#1a1a1a;background:#f4f4f4}
main{padding:.75rem}aside{padding:.75rem;background:#fff;border-left:1px solid #ccc}img{display:block;max-width:100%;background:#fff;outline:1px solid #999;cursor:default}
img:focus{outline:3px solid #06c}form{display:flex;gap:.5rem;margin-bottom:.75rem}input{flex:1;min-width:0}input,button{font:inherit;padding:.35rem .6rem}
ol{padding-left:1.5rem;overflow-wrap:anywhere}[role=alert]{color:#a40000;min-height:1.4em}
@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}aside{background:#222;border-color:#444}[role=alert]{color:#ff8a80}}`;

/** Runs in the person's browser. */
const SCRIPT = String.raw`
const at = new URLSearchParams(location.hash.slice(1));
const kind = at.get('kind'), id = Number(at.get('id'));
const picture = document.querySelector('img'), told = document.querySelector('[role=alert]'), address = document.querySelector('#address');
const LOOK_MS = 150, MOVE_MS = 100;
// Of the last picture that was there: the next one has no size before it has been read, and what is done meanwhile was aimed at the last.
let url, size = { width: picture.width, height: picture.height }, moved = 0;
const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + '/ws?ticket=' + encodeURIComponent(at.get('ticket') ?? ''));
const send = (frame) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame)); };
const act = (one) => send({ act: one });
const look = () => send({ look: true });
const say = (text) => { told.textContent = text; };
socket.binaryType = 'blob';
socket.onopen = () => { send({ watch: { kind, id } }); look(); };
socket.onclose = () => say('The line to the agent is closed. For a new one: weft ' + (kind === 'run' ? 'run attach ' + id : 'record'));
socket.onmessage = ({ data }) => {
  if (typeof data !== 'string') {
    if (url) URL.revokeObjectURL(url);
    picture.src = url = URL.createObjectURL(data);
    return;
  }
  const { ticket, state, error, ended, looked } = JSON.parse(data);
  if (ticket) { at.set('ticket', ticket); history.replaceState(null, '', '#' + at); }
  if (state) show(state);
  if (error) say(error);
  if (ended) { say(ended); document.body.dataset.ended = 'true'; }
  if (looked && !ended && !document.body.dataset.ended) setTimeout(look, LOOK_MS);
};
const show = ({ title, instructions, mayAct, steps, url: where }) => {
  document.title = title + ' · Weft';
  document.querySelector('h1').textContent = title;
  document.querySelector('#instructions').textContent = mayAct ? instructions : 'The run acts by itself now.';
  document.body.dataset.acts = String(mayAct);
  if (document.activeElement !== address) address.value = where;
  const list = document.querySelector('ol');
  if (list.children.length !== steps.length) list.replaceChildren(...steps.map((step) => Object.assign(document.createElement('li'), { textContent: step })));
};
const place = (event) => {
  const box = picture.getBoundingClientRect();
  return { x: (event.clientX - box.x) * size.width / box.width, y: (event.clientY - box.y) * size.height / box.height };
};
const BUTTONS = ['left', 'middle', 'right'];
const press = (event, kind) => {
  event.preventDefault();
  picture.focus();
  act({ kind, ...place(event), button: BUTTONS[event.button] ?? 'left', clicks: event.detail === 2 ? 2 : 1 });
};
picture.addEventListener('mousedown', (event) => press(event, 'down'));
picture.addEventListener('mouseup', (event) => press(event, 'up'));
picture.addEventListener('contextmenu', (event) => event.preventDefault());
picture.addEventListener('mousemove', (event) => {
  if (event.timeStamp - moved < MOVE_MS) return;
  moved = event.timeStamp;
  act({ kind: 'move', ...place(event) });
});
picture.addEventListener('wheel', (event) => { event.preventDefault(); act({ kind: 'wheel', ...place(event), dx: event.deltaX, dy: event.deltaY }); }, { passive: false });
picture.addEventListener('load', () => {
  size = { width: picture.naturalWidth, height: picture.naturalHeight };
  document.body.dataset.seen = 'true';
});
const isText = ({ key, ctrlKey, metaKey, altKey }) => key.length === 1 && !/[ -~]/.test(key) && !ctrlKey && !metaKey && !altKey;
const key = (event, kind) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return;
  if (event.isComposing || event.key === 'Dead' || event.key === 'Process') return;
  event.preventDefault();
  if (isText(event)) return kind === 'keyDown' ? act({ kind: 'text', text: event.key }) : undefined;
  if (event.key !== 'Unidentified') act({ kind, key: event.key });
};
picture.addEventListener('keydown', (event) => key(event, 'keyDown'));
picture.addEventListener('keyup', (event) => key(event, 'keyUp'));
document.addEventListener('paste', (event) => { if (document.activeElement === picture) act({ kind: 'text', text: event.clipboardData.getData('text').slice(0, 10000) }); });
document.querySelector('#open').addEventListener('submit', (event) => { event.preventDefault(); say(''); send({ open: address.value }); picture.focus(); });
document.querySelector('#end').addEventListener('submit', (event) => { event.preventDefault(); say(''); send({ done: document.querySelector('#code').value }); });
document.querySelector('#discard').addEventListener('click', () => send({ discard: true }));
if (kind === 'run') { document.querySelector('#open').hidden = true; document.querySelector('#discard').hidden = true; document.querySelector('#hint').hidden = true; }
else document.querySelector('#code').hidden = true;
`;

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Weft</title>
<style nonce="NONCE">${STYLE}</style>
<main>
<form id="open"><label for="address">Address</label><input id="address" autocomplete="off" spellcheck="false"><button>Open</button></form>
<img alt="The page that you act on: click it, then type" tabindex="0" draggable="false" width="1280" height="720">
</main>
<aside>
<h1>Weft</h1>
<p id="instructions"></p>
<p id="hint">Alt and a click on two items of a list takes the whole list.</p>
<p role="alert"></p>
<form id="end"><input id="code" autocomplete="off" aria-label="Code, or a word"><button>Done</button><button type="button" id="discard">Discard</button></form>
<ol aria-label="Recorded steps"></ol>
</aside>
<script nonce="NONCE">${SCRIPT}</script>
</html>
`;
