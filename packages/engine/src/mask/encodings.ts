// The forms in which a site shows a value back: as it is, and as URLs, HTML, JSON, base64 and hexadecimal have it.

const encoder = new TextEncoder();
/** Base64 of a shorter piece is found in too much that is something else. */
const BASE64_CHARS_MIN = 6;

/** Each form once; the value itself is among them. */
export function encodingsOf(value: string): ReadonlySet<string> {
  const json = jsonForms(value);
  const bytes = encoder.encode(value.toWellFormed());
  const base64 = base64Forms(bytes);
  return new Set([
    value,
    ...json,
    ...[value, ...json].flatMap(htmlForms),
    ...urlForms(value),
    ...base64,
    ...base64.flatMap(urlForms),
    ...hexForms(bytes),
  ]);
}

/** In a path, in a query and in a form; hexadecimal digits of either case. */
function urlForms(value: string): string[] {
  const component = encodeURIComponent(value.toWellFormed());
  const strict = component.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ v: value.toWellFormed() }).toString().slice(2);
  const forms = [component, strict, form, form.replaceAll('+', '%20'), encodeURI(value.toWellFormed())];
  return [...forms, ...forms.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

type Escapes = Readonly<Record<string, string>>;
const TEXT: Escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** What the template engines in use write for quotation marks. */
const QUOTES: readonly Escapes[] = [
  {},
  { '"': '&quot;' },
  { '"': '&quot;', "'": '&#39;' },
  { '"': '&quot;', "'": '&#039;' },
  { '"': '&quot;', "'": '&#x27;' },
  { '"': '&quot;', "'": '&apos;' },
  { '"': '&#34;', "'": '&#39;' },
  { '"': '&quot;', "'": '&#39;', '/': '&#47;', '`': '&#96;', '=': '&#61;' },
  { '"': '&quot;', "'": '&#39;', '/': '&#x2F;', '`': '&#x60;', '=': '&#x3D;' },
];

function htmlForms(value: string): string[] {
  const forms = QUOTES.map((quotes) => escaped(value, { ...TEXT, ...quotes }));
  const numbered = (hex: boolean) => (text: string) =>
    text.replaceAll(/[^\0-\x7f]/gu, (c) => (hex ? `&#x${c.codePointAt(0)?.toString(16)};` : `&#${c.codePointAt(0)};`));
  return [...forms, ...forms.map(numbered(false)), ...forms.map(numbered(true))];
}

function escaped(value: string, escapes: Escapes): string {
  return [...value].map((c) => escapes[c] ?? c).join('');
}

function jsonForms(value: string): string[] {
  const plain = JSON.stringify(value).slice(1, -1);
  const forms = [
    plain,
    plain.replaceAll('/', '\\/'),
    plain.replaceAll(/[<>&']/g, unicodeEscape),
    plain.replaceAll(/[<>&'+/]/g, unicodeEscape),
  ];
  const ascii = forms.map((text) => text.replaceAll(/[^\0-\x7f]/g, unicodeEscape));
  const all = [...forms, ...ascii];
  return [...all, ...all.map((text) => text.replaceAll(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`))];
}

function unicodeEscape(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Base64 of the value wherever it begins in what was encoded with it: the characters that depend on it alone, in both alphabets. */
function base64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((phase) => {
    const text = btoa(String.fromCharCode(...new Uint8Array(phase), ...bytes)).replace(/=+$/, '');
    const first = Math.ceil((phase * 8) / 6);
    const whole = Math.floor(((phase + bytes.length) * 8) / 6);
    const own = text.slice(first, whole);
    if (own.length < BASE64_CHARS_MIN) return [];
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function hexForms(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex, hex.toUpperCase()];
}
