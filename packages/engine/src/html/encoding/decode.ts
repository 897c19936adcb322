// Turns the bytes of a page into text: by its BOM, its header, its meta tag, and only then by looking at the letters.
import { ResultType, Sniffer } from 'encoding-sniffer/sniffer';
import { guessEncoding } from './guess-encoding.ts';

/** A body as text, and how its encoding was found. */
export interface DecodedBody {
  readonly html: string;
  /** The WHATWG name in lower case, for example `windows-1251`. */
  readonly encoding: string;
  /** `default` when nothing says and nothing shows which encoding it is. */
  readonly source: 'bom' | 'header' | 'meta' | 'sniff' | 'default';
}

/** The standard looks at 1,024 bytes and lets the parser notice a later tag; looking further comes to the same. */
const PRESCAN_BYTES = 65_536;
const PRESCAN_STEP_BYTES = 1_024;
/** Not a name that a meta tag can yield (the standard turns it into windows-1252), so it marks "nothing found". */
const NOTHING_FOUND = 'x-user-defined';

/**
 * The text of `body` as a browser would read it (WHATWG Encoding and HTML section 13.2.3); never throws.
 * Unknown labels are passed over, invalid bytes become U+FFFD, and an encoding that browsers refuse gives a single U+FFFD.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): DecodedBody {
  const declared = fromBom(body) ?? fromHeader(contentType) ?? fromMeta(body);
  if (declared) return { html: decodeAs(body, declared.encoding), ...declared };
  const guessed = guessEncoding(body);
  return { html: decodeAs(body, guessed ?? 'windows-1252'), encoding: guessed ?? 'windows-1252', source: guessed ? 'sniff' : 'default' };
}

type Declared = Pick<DecodedBody, 'encoding' | 'source'>;

function fromBom(body: Uint8Array): Declared | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', source: 'bom' };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', source: 'bom' };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', source: 'bom' };
  return undefined;
}

function fromHeader(contentType: string | undefined): Declared | undefined {
  const label = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,]+))/i
    .exec(contentType ?? '')
    ?.slice(1)
    .find((part) => part !== undefined);
  const encoding = label === undefined ? undefined : encodingOf(label);
  return encoding === undefined ? undefined : { encoding, source: 'header' };
}

function fromMeta(body: Uint8Array): Declared | undefined {
  const sniffer = new Sniffer({ maxBytes: PRESCAN_BYTES, defaultEncoding: NOTHING_FOUND });
  const end = Math.min(body.length, PRESCAN_BYTES);
  // The first meta tag that says is the last word; only an XML declaration may still be overruled.
  for (let at = 0; at < end && sniffer.resultType > ResultType.META_TAG; at += PRESCAN_STEP_BYTES)
    sniffer.write(body.subarray(at, Math.min(at + PRESCAN_STEP_BYTES, end)));
  const found = sniffer.encoding.toLowerCase();
  return found === NOTHING_FOUND ? undefined : { encoding: found, source: 'meta' };
}

/** Labels of encodings that hide ASCII and were used to smuggle scripts; the standard decodes them to one U+FFFD. */
const REPLACEMENT_LABELS: ReadonlySet<string> = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
]);

/** The encoding that a label names, undefined for an unknown label. */
function encodingOf(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (REPLACEMENT_LABELS.has(name)) return 'replacement';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

function decodeAs(body: Uint8Array, encoding: string): string {
  if (encoding === 'replacement') return body.length === 0 ? '' : '\u{fffd}';
  // Node knows the name x-user-defined but decodes it to nothing; its ASCII half is all that HTML needs.
  return new TextDecoder(encoding === 'x-user-defined' ? 'windows-1252' : encoding).decode(body);
}
