// Looks for values in bytes, in every form in which they could have got there, and for any eight bytes of them.

/** What was found: which value, in which form. */
export interface Sighting {
  readonly value: string;
  readonly form: string;
}

/** Characters that eight bytes of a value have in a form, or the whole of them: fewer come by chance, as digits of a duration. */
const WINDOWS = { text: 8, base64: 10, hexadecimal: 16 } as const;
type Kind = keyof typeof WINDOWS;

/** Finds pieces of the values; reading a byte costs the same, however many values there are. */
export class CanaryGrep {
  private readonly windows = new Map<string, Sighting>();
  /** By three bytes, whether a window begins so: almost none of what is read does. */
  private readonly beginnings = new Uint8Array(2 ** 24);

  constructor(values: readonly string[]) {
    for (const value of values)
      for (const [kind, form, text] of formsOf(value))
        for (let at = 0; at + WINDOWS[kind] <= text.length; at++) {
          this.windows.set(text.slice(at, at + WINDOWS[kind]), { value, form });
          this.beginnings[(text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2)] = 1;
        }
  }

  /** Every form of every value that is in the bytes, each once. */
  search(bytes: Uint8Array): readonly Sighting[] {
    const found = new Set<Sighting>();
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let three = 0;
    for (let end = 0; end < text.length; end++) {
      three = ((three << 8) | (text[end] ?? 0)) & 0xffffff;
      if (end < 2 || this.beginnings[three] === 0) continue;
      for (const length of Object.values(WINDOWS)) {
        const sighting = this.windows.get(text.toString('latin1', end - 2, end - 2 + length));
        if (sighting) found.add(sighting);
      }
    }
    return [...new Map([...found].map((sighting) => [`${sighting.form} ${sighting.value}`, sighting])).values()];
  }
}

/** As bytes read as Latin-1. */
function formsOf(value: string): (readonly [kind: Kind, form: string, text: string])[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].flatMap((phase) => {
    const text = Buffer.concat([Buffer.alloc(phase), bytes])
      .toString('base64')
      .replaceAll('=', '')
      .slice(Math.ceil((phase * 8) / 6), -1);
    return [
      ['base64', `base64, phase ${phase}`, text],
      ['base64', `base64url, phase ${phase}`, text.replaceAll('+', '-').replaceAll('/', '_')],
    ] as const;
  });
  const texts = [
    ['text', 'raw', value],
    ['text', 'URL-escaped', encodeURIComponent(value)],
    ['text', 'JSON-escaped', JSON.stringify(value).slice(1, -1)],
    ['text', 'reversed', [...value].toReversed().join('')],
    ['hexadecimal', 'hexadecimal', bytes.toString('hex')],
    ['hexadecimal', 'hexadecimal, large', bytes.toString('hex').toUpperCase()],
  ] as const;
  return [...base64, ...texts.map(([kind, form, text]) => [kind, form, Buffer.from(text).toString('latin1')] as const)];
}
