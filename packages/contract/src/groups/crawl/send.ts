// What a caller sends of its own with requests: in no answer, no log and no record, and never written to the disk of the agent.
import { z } from 'zod';
import { sealedText } from '../../sealed.ts';

const HEADERS_MAX = 50;
const COOKIES_MAX = 500;
/** As long as Chrome takes a header line or a cookie. */
const VALUE_CHARS_MAX = 16_384;
const BODY_CHARS_MAX = 1_000_000;

/** A token of RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What HTTP itself needs (RFC 9110, 7.6.1; RFC 9112), and who asks: that is said honestly (D30). */
const NOT_THE_CALLERS = new Set(
  'accept-encoding connection content-length cookie2 expect host keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade user-agent'.split(
    ' ',
  ),
);

const headers = z
  .record(z.string().max(200), sealedText(0, VALUE_CHARS_MAX))
  .check((context) => {
    const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: undefined });
    const names = Object.keys(context.value);
    if (names.length > HEADERS_MAX) refuse(`has ${names.length} headers; at most ${HEADERS_MAX} can be sent`);
    for (const name of names) {
      if (!HEADER_NAME.test(name)) refuse(`names ${JSON.stringify(name)}, which can be no header`);
      else if (NOT_THE_CALLERS.has(name.toLowerCase())) refuse(`names ${name}, which can't be replaced`);
      else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(context.value[name] ?? '')) refuse(`has a value for ${name} that can stand in no header`);
    }
  })
  .describe('By name. They go to the origin of `url` alone, over HTTP; a redirect elsewhere is not followed with them.');

const cookie = z.strictObject({
  name: z.string().min(1).max(4096),
  value: sealedText(0, VALUE_CHARS_MAX),
  domain: z.string().min(1).max(255).optional().describe('With a leading dot where subdomains get it too; the host of `url` unless said.'),
  path: z.string().max(4096).optional().describe('`/` unless said.'),
  expires: z.number().optional().describe('Epoch seconds; -1, for as long as this crawl, unless said.'),
  secure: z.boolean().optional(),
  http_only: z.boolean().optional(),
});

/** The methods with which one page can be asked for. */
export const SENT_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** What goes out with the requests of one call. */
export const Send = z
  .strictObject({
    headers: headers.optional(),
    cookies: z.array(cookie).max(COOKIES_MAX).optional(),
    method: z.enum(SENT_METHODS).optional().describe('Of one page; `GET` unless said, `POST` with a body. Anything but GET is sent once.'),
    body: sealedText(0, BODY_CHARS_MAX).optional().describe('Of one page; as `content-type` says, a form unless said.'),
  })
  .meta({ id: 'Send' });
export type Send = z.infer<typeof Send>;

/** `send` as a member of a body. */
export const send = Send.optional().describe(
  'Headers, cookies, a method and a body of your own. Needs the admin scope. Kept in memory until the run has ended, and masked in what the site sends back.',
);

/** `proxy` as a member of a body. */
export const proxy = z
  .string()
  .regex(/^[a-z][\w-]{0,63}$/i, 'must be the name of a proxy')
  .optional()
  .describe('One of the `proxies` of config.json, by its name.');
