// Members that go in and never come out: what they hold is sealed in the vault, shown by no answer and quoted by no refusal.
import { z } from 'zod';

/** Characters of one sealed value at most. */
const SEALED_CHARS_MAX = 65_536;

/** A text that only its owner sends and nobody is shown again. */
export function sealedText(min = 1, max = SEALED_CHARS_MAX) {
  return z.string().min(min).max(max).meta({ writeOnly: true });
}

/** An exact origin: scheme, host and port, as a browser writes it (RFC 6454, 6.2). A path, a wildcard or a user name is refused. */
export const Origin = z
  .string()
  .max(300)
  .check((context) => {
    const url = URL.parse(context.value);
    // A host may hold a star by the rules of addresses; here it would be taken for a wildcard.
    const isExact =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      !url.host.includes('*') &&
      url.origin === context.value.toLowerCase().replace(/\/$/, '');
    const near = url !== null && /^https?:$/.test(url.protocol) ? `, such as ${url.origin}` : ', such as https://example.com';
    if (!isExact) context.issues.push({ code: 'custom', message: `must be an exact origin${near}`, input: context.value });
  })
  .transform((text) => new URL(text).origin)
  .meta({ wire: { type: 'string', format: 'uri' } });

/** The origins that values are sent to. None: they are sent nowhere. */
export const Origins = z
  .array(Origin)
  .max(100)
  .transform((origins) => [...new Set(origins)].sort())
  .describe('Exact origins to which the values are sent; with none they are sent nowhere.')
  .meta({ wire: { type: 'array', items: { type: 'string', format: 'uri' }, maxItems: 100 } });
