// A site for members on loopback: a login by password and one-time code, pages behind it, and an application that keeps its session in three places.
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startSite } from './crawl-sites.ts';
import type { Answer, LocalSite } from './crawl-sites.ts';

export const MEMBER = { username: 'grace', password: 'nanosecond of wire', seed: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } as const;
/** What `MEMBER.seed` is in base32: the seed of RFC 6238, appendix B. */
const SEED = '12345678901234567890';
const PERIOD_MS = 30_000;

export interface MembersSite extends LocalSite {
  /** How many sessions have begun. */
  readonly logins: () => number;
  /** The codes that were taken. */
  readonly codes: readonly string[];
  /** Ends every session. */
  endSessions(): void;
}

export interface MembersOptions {
  /** The time that its codes are counted by. */
  readonly now?: () => number;
  /** Whether its login asks for a code, a captcha or neither behind the password. */
  readonly asks?: 'code' | 'captcha' | 'nothing';
  /** Six boxes for a code, which the page sends with the last digit. */
  readonly boxes?: boolean;
  /** What its pages say to members beside their list. */
  readonly says?: () => string;
  /** What its robots.txt says. */
  readonly robots?: string;
}

/** Starts a site whose pages below `/members` are for those who have logged in. */
export async function startMembersSite(options: MembersOptions = {}): Promise<MembersSite> {
  const { now = Date.now, asks = 'code', boxes = false, says = () => '', robots } = options;
  const codeForm = boxes ? BOXES : ONE_BOX;
  const half = new Set<string>();
  const whole = new Set<string>();
  const codes: string[] = [];
  let logins = 0;
  const begin = (to: string) => {
    const session = randomBytes(8).toString('hex');
    whole.add(session);
    logins++;
    return leads(to, `sid=${session}; HttpOnly; Path=/; Max-Age=86400`);
  };
  const site = await startSite(async (path, _url, request) => {
    const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
    const isMember = whole.has(cookieOf(request, 'sid'));
    switch (`${request.method} ${path}`) {
      case 'GET /robots.txt':
        return robots === undefined ? undefined : { status: 200, headers: { 'content-type': 'text/plain' }, body: robots };
      case 'GET /login':
        return asks === 'captcha' ? captcha() : page('Log in', passwordForm());
      case 'POST /login': {
        if (form.get('user') !== MEMBER.username || form.get('pass') !== MEMBER.password)
          return page('Log in', `<p id="wrong">That was wrong.</p>${passwordForm()}`);
        if (asks !== 'code') return begin('/members');
        const session = randomBytes(8).toString('hex');
        half.add(session);
        return leads('/code', `half=${session}; HttpOnly; Path=/`);
      }
      case 'GET /code':
        return half.has(cookieOf(request, 'half')) ? page('Your code', codeForm) : leads('/login');
      case 'POST /code': {
        const code = form.get('otp') ?? form.getAll('digit').join('');
        const isRight = half.has(cookieOf(request, 'half')) && !codes.includes(code) && [0, -1].some((by) => code === codeAt(now(), by));
        if (!isRight) return page('Your code', `<p id="wrong">That code is not valid.</p>${codeForm}`);
        codes.push(code);
        return begin('/members');
      }
      case 'GET /whoami':
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ language: request.headers['accept-language'] ?? '', isMember }),
        };
      default:
        return memberPage(path, isMember, says());
    }
  });
  return { ...site, logins: () => logins, codes, endSessions: () => whole.clear() };
}

/** RFC 6238 with SHA-1 and six digits, written here a second time. */
function codeAt(nowMs: number, by: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / PERIOD_MS) + by));
  const mac = createHmac('sha1', SEED).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function memberPage(path: string, isMember: boolean, says: string): Answer {
  const place = /^\/members(?:\/([1-3]))?$/.exec(path);
  if (!place) return path === '/' ? page('Welcome', '<a href="/members">Members</a>') : undefined;
  if (!isMember) return leads('/login');
  const links = [1, 2, 3].map((each) => `<li><a href="/members/${each}">Minutes ${each}</a> by <b>${MEMBER.username}</b></li>`).join('');
  return page(
    `Members ${place[1] ?? ''}`,
    `<p id="hello">Hello, Grace. What stands here is for members alone.</p>${says}<ul>${links}</ul>`,
  );
}

function page(title: string, body: string): string {
  const words = `This is the page ${title} of a club that meets on the first day of each month, reads its minutes aloud, and keeps them for its members.`;
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words}</p>${body}</main></html>`;
}

function passwordForm(): string {
  return `<form id="enter" action="/login" method="post"><label>User name <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form>`;
}

const ONE_BOX = `<form id="second" action="/code" method="post"><label>One-time code <input name="otp" inputmode="numeric" autocomplete="one-time-code"></label><button>Go on</button></form>`;
const BOXES = `<form id="second" action="/code" method="post">${'<input name="digit" maxlength="1" inputmode="numeric">'.repeat(6)}</form>
<script>second.oninput = ({ target }) => target.nextElementSibling ? target.nextElementSibling.focus() : second.submit()</script>`;

function captcha(): Answer {
  const body = `<!doctype html><title>One moment</title><h1>Are you a person?</h1><p>Verify you are human.</p><div class="g-recaptcha" data-sitekey="x"></div>`;
  return { status: 403, body };
}

function leads(location: string, cookie?: string): Answer {
  return { status: 303, headers: { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) } };
}

function cookieOf(request: IncomingMessage, name: string): string {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return pairs.find(([each]) => each === name)?.[1] ?? '';
}
