// Hears in a page what a person does there, in a world of its own that no script of the page can reach.
import { NODE_MARK, READ_DOCUMENT } from '../read-dom.ts';

/** The world, and the function that tells from inside of it. */
export const RECORDER_WORLD = 'recorder';
export const RECORDER_TELLS = 'weftTells';

/** Characters of a document; an act in a larger one is told without it, and so without selectors. */
const CHARACTERS_MAX = 5_000_000;

/**
 * Runs in every frame. It tells each act before the page can answer it, with a copy of the document in which NODE_MARK is the element's.
 * A password never leaves: neither as what was typed, nor in the copy. Text is told when it is whole: on leaving the field, on Enter, and
 * before any other act.
 */
export const RECORDER_SCRIPT = String.raw`(() => {
  if (globalThis.weftRecorder) return;
  const readDocument = ${READ_DOCUMENT};
  const SECRET_NAME = /passw|kennwort|passphrase|contrase|mot.?de.?passe|senha|wachtwoord|parol|secret/i;
  const ACTING_KEY = /^(?:Enter|Escape|Arrow(?:Up|Down|Left|Right)|PageUp|PageDown)$/;
  const TYPED = /^(?:text|search|email|url|tel|number|password|date|time|datetime-local|month|week|color|range|)$/;
  const secrets = new WeakSet(), told = new WeakMap(), dirty = new Set();
  let armed = false, scrolled, marked;
  const isTyped = (element) => element.localName === 'textarea' || element.isContentEditable || (element.localName === 'input' && TYPED.test(element.getAttribute('type') ?? ''));
  const valueOf = (element) => ('value' in element ? element.value : element.innerText);
  const isSecret = (element) => {
    if (element.type === 'password' || /password/.test(element.autocomplete ?? '')) secrets.add(element);
    return secrets.has(element) || SECRET_NAME.test((element.name ?? '') + ' ' + element.id);
  };
  const copyWith = (element) => {
    const nodes = [];
    const { parts } = readDocument(${CHARACTERS_MAX}, nodes);
    if (!parts) return undefined;
    const mark = '${NODE_MARK}="' + nodes.indexOf(element) + '"';
    const html = parts.join('').replace(/ ${NODE_MARK}="\d+"/g, (each) => (each === ' ' + mark ? ' ${NODE_MARK}=""' : ''));
    return html.replace(/<(?:input|textarea)(?:\s+[^\s=>]+(?:="[^"]*")?)*\s*\/?>/g, (tag) => (/type="password"|password"/i.test(tag) || SECRET_NAME.test(tag) ? tag.replace(/\svalue="[^"]*"/g, '') : tag));
  };
  const hintsOf = (element) => [
    ...(element.labels ? [...element.labels].map((label) => label.textContent.trim()) : []),
    element.getAttribute('aria-label'), element.getAttribute('name'), element.getAttribute('placeholder'), element.id, element.getAttribute('autocomplete'),
  ].filter(Boolean).map((hint) => hint.slice(0, 100));
  const tell = (kind, element, more) => {
    globalThis.${RECORDER_TELLS}(JSON.stringify({ kind, url: location.href, html: element.nodeType === 1 ? copyWith(element) : undefined, ...more }));
  };
  const tellText = (element) => {
    dirty.delete(element);
    const value = valueOf(element);
    if (told.get(element) === value) return;
    told.set(element, value);
    if (isSecret(element)) tell('change', element, { isPassword: true, hints: hintsOf(element) });
    else tell('change', element, { value, hints: hintsOf(element) });
  };
  const flush = () => {
    for (const element of [...dirty]) if (element.isConnected) tellText(element);
    dirty.clear();
    if (scrolled && scrolled.box.scrollHeight > scrolled.height) tell('scroll', scrolled.target, { x: Math.round(scrolled.x), y: Math.round(scrolled.y) });
    scrolled = undefined;
  };
  const targetOf = (event) => event.composedPath()[0];
  const hear = (type, react) => addEventListener(type, (event) => {
    const target = targetOf(event);
    if (event.isTrusted && (target?.nodeType === 1 || target?.nodeType === 9)) react(event, target);
  }, { capture: true, passive: false });
  const isOutermostOfClosed = (element) => element.localName.includes('-') && !element.shadowRoot;
  const INTERACTIVE = 'a[href],button,summary,label,input,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch]';
  const pointer = (kind, event, hit, more) => {
    flush();
    const target = event.composedPath().find((each) => each.matches?.(INTERACTIVE)) ?? hit;
    const box = target.getBoundingClientRect();
    tell(kind, target, { button: event.button, offset: { x: Math.round(event.clientX - box.x), y: Math.round(event.clientY - box.y) }, isHost: isOutermostOfClosed(target), ...more });
  };
  hear('pointerdown', (event, target) => {
    if (target.nodeType === 1 && isTyped(target)) isSecret(target);
    armed = true;
  });
  // With Alt a link is not clicked but selected in, or downloaded: what is marked is told as the button goes up, and nothing else comes of it.
  const swallow = (event) => { event.preventDefault(); event.stopImmediatePropagation(); armed = false; };
  hear('mousedown', (event, target) => {
    marked = event.altKey && event.button === 0 ? target : undefined;
    if (marked) swallow(event);
  });
  hear('mouseup', (event, target) => {
    if (!event.altKey || event.button !== 0 || target.nodeType !== 1) return;
    swallow(event);
    if (marked !== target) return;
    flush();
    tell('mark', target, {});
  });
  hear('click', (event, target) => {
    if (target.nodeType !== 1) return;
    if (event.altKey) return void swallow(event);
    // What the browser clicks by itself: the control of a label, the button of a form that Enter sends.
    if (!armed) return;
    armed = false;
    // A field is clicked to be typed into, and a choice is told as such.
    if (isTyped(target) || target.localName === 'select' || target.localName === 'option' || target.type === 'file') return;
    pointer('click', event, target, {});
  });
  hear('auxclick', (event, target) => void (event.button === 1 && pointer('click', event, target, {})));
  hear('dblclick', (event, target) => void (target.nodeType === 1 && pointer('doubleClick', event, target, {})));
  hear('input', (event, target) => {
    if (target.nodeType === 1 && isTyped(target)) dirty.add(target.isContentEditable ? (target.closest('[contenteditable]') ?? target) : target);
  });
  hear('change', (event, target) => {
    if (isTyped(target)) return tellText(target);
    if (target.localName === 'select') { flush(); tell('change', target, { value: target.multiple ? [...target.selectedOptions].map((option) => option.value).join('\n') : target.value, isChoice: true, hints: hintsOf(target) }); }
    else if (target.type === 'file') { flush(); tell('upload', target, { names: [...target.files].map(({ name }) => name), hints: hintsOf(target) }); }
  });
  hear('keydown', (event, target) => {
    if (target.nodeType === 1 && isTyped(target)) isSecret(target);
    if (target.nodeType === 1 && (event.key === 'Enter' || event.key === ' ') && !isTyped(target)) { armed = true; return; }
    if (event.key === 'Enter' && (target.localName === 'textarea' || target.isContentEditable)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !ACTING_KEY.test(event.key)) return;
    if (/^Arrow/.test(event.key) && isTyped(target) && target.localName === 'textarea') return;
    flush();
    tell('key', target, { key: event.key });
  });
  hear('scrollend', (event, target) => {
    const box = target.nodeType === 9 ? target.scrollingElement : target;
    if (!box) return;
    const before = scrolled && scrolled.box === box ? scrolled.height : box.scrollHeight;
    scrolled = { target, box, x: box.scrollLeft, y: box.scrollTop, height: before };
  });
  globalThis.weftRecorder = { flush };
})();`;
