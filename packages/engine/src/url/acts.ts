// Tells from an address alone that asking for it would change something: sign out, delete, vote, put into a cart.
import { actOfWord, isCommand, isMemberCommand, isSwitchedCommand, plainWord } from './act-words.ts';
import { decodeLoosely } from './decode-loosely.ts';
import { isRandomLooking } from './trap-class.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Endings of documents: a file does nothing. */
const DOCUMENT = /\.(?:x?html?|shtml|md|markdown|rst|txt|pdf|epub|docx?|xml|json|csv)$/i;
/** Endings of programs. */
const PROGRAM = /(?:!default)?\.(?:php\d?|aspx?|ashx|jspa?|do|action|cgi|pl|cfm|fcgi)$/i;

/** Folders of texts and sources: what lies below is called after what it is about. */
const TEXT_FOLDERS = words(
  'docs doc documentation manual manuals man help guide guides handbook reference ref wiki w blog blogs news article articles kb hc faq faqs ' +
    'knowledgebase knowledge learn tutorial tutorials glossary dictionary lexicon encyclopedia book books support blob tree raw src source ' +
    'browse commits changelog releases spec specs standards handbuch hilfe aide ayuda ajuda aiuto pomoc',
);
/** Folders whose members carry the name of their subject, so that the word right behind one is a name. */
const NAME_FOLDERS = words(
  't topic topics thread threads question questions q tag tags tagged category categories label labels term terms word words define ' +
    'definition search package packages product products p item dp u author command commands keyword keywords function functions',
);

/** What carries a one-time token changes something, which is what such tokens are for: the names that frameworks and applications give them. */
const TOKENS = words(
  '_wpnonce wpnonce csrf csrf_token csrftoken csrfmiddlewaretoken _csrf _csrf_token xsrf xsrf_token _xsrf authenticity_token sesskey sectok ' +
    'form_key form_token formhash logouthash logoutkey my_post_key sesc atl_token requesttoken __requestverificationtoken ucp_token yii_csrf_token',
);
/** Names that are a token beside a command and anything else elsewhere. */
const LOOSE_TOKENS = words('hash token auth nonce ticket key');
/** With a token beside them, these parameters are commands (phpBB, vBulletin, MyBB). */
const MARKS = words('mark watch unwatch bookmark vote like flag hide');

/** Parameters that are a command by themselves: of WooCommerce, Shopify, PrestaShop, mailing lists, and what own programs call them. */
const COMMAND_NAMES = words(
  'addtocart addtobasket addtobag addtowishlist addtocompare removefromcart removefromwishlist removeitem undoitem removecoupon applycoupon ' +
    'emptycart clearcart orderagain cancelorder delete del remove destroy purge edit vote upvote downvote unsubscribe unsub logout mylogout ' +
    'signout logoff markread markasread clearcache flushcache install uninstall activate deactivate doingwpcron',
);
/** Parameters whose value is a command. */
const ACTION_NAMES = words(
  'action act do op operation cmd command task mode method func function fn event job sa veaction subaction wcajax aktion accion acao azione ' +
    'actie akcja akce',
);
/** Parameters of front controllers whose value is a path, or the name of a page. */
const ROUTE_NAMES = words('r route q page path p url module mod view section controller option pg site go');

const CARTS = words(
  'cart basket bag wishlist compare favorites favourites watchlist warenkorb merkzettel panier carrito cesta carrinho carrello winkelwagen ' +
    'kundvagn kurv handlekurv ostoskori koszyk kosik kosar cos sepet',
);
const CART_COMMANDS = words('add remove delete clear empty update change');
const SETTINGS = words('theme skin style lang language locale currency layout colorscheme colormode darkmode');
const SETTING_COMMANDS = words('set switch change toggle select choose');
const THEMES = words('theme skin colorscheme colormode darkmode');
const SCHEMES = words('dark light system contrast highcontrast night day');
const DIRECTIONS = words('up down plus minus yes no');
const CRON = words('cron wpcron runcron cronjob');

interface Pair {
  /** In the spelling of `plainWord`. */
  readonly name: string;
  /** As it stands, lower-case. */
  readonly rawName: string;
  readonly value: string;
}

/** What asking for `url` would do and by which part of it, in words; undefined where nothing says that it does anything. */
export function findAct(url: string): string | undefined {
  const start = url.indexOf('/', url.indexOf('//') + 2) + 1;
  if (start === 0) return undefined;
  const hash = url.indexOf('#', start);
  const route = hash < 0 ? '' : url.slice(hash + 1).replace(/^!?\/?/, '');
  const mark = url.indexOf('?', start);
  const end = hash < 0 ? url.length : hash;
  const hasQuery = mark >= 0 && mark < end;
  const pairs = hasQuery ? pairsOf(url.slice(mark + 1, end)) : [];
  return (
    actOfQuery(pairs) ?? actOfPath(url.slice(start, hasQuery ? mark : end), pairs) ?? (route === '' ? undefined : actOfPath(route, []))
  );
}

/** Whether the address says in so many words what `label` says: then the address is judged, and a title is no command. */
export function isNamedAfter(url: string, label: string): boolean {
  return plainWord(decodeLoosely(url.slice(url.indexOf('/', url.indexOf('//') + 2) + 1))).includes(label);
}

/** Whether an address can only be a text or a file: there, no word is a command. */
export function isText(url: string): boolean {
  const path = /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? '';
  return DOCUMENT.test(path) || path.split('/').some((part) => TEXT_FOLDERS.has(part.toLowerCase()));
}

/** The command that the last part of a path is, where some other sign says that it is one; undefined in folders of texts. */
export function findCommandWord(url: string): string | undefined {
  if (isText(url)) return undefined;
  const path = /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? '';
  const last = path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
  const tokens = tokensOf(last.replace(PROGRAM, ''));
  const isCommand = tokens.length <= 3 && [tokens[0], tokens.at(-1)].some((token) => actOfWord(token ?? '') !== undefined);
  return isCommand ? last : undefined;
}

function actOfPath(path: string, pairs: readonly Pair[]): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1);
  if (last === undefined || DOCUMENT.test(last)) return undefined;
  // MediaWiki keeps its commands among its pages, in a namespace of their own.
  if (/:userlogout$/i.test(decodeLoosely(last))) return `sign out: ${last}`;
  const plain = parts.map((part) => plainWord(decodeLoosely(withoutParameters(part).replace(PROGRAM, ''))));
  if (parts.slice(0, -1).some((part) => TEXT_FOLDERS.has(part.toLowerCase()))) return undefined;
  return actOfLast(parts, plain, pairs) ?? actOfPairs(parts, plain, pairs);
}

/** The command that the last part is, alone, beside the number of a thing, or with one in the query. */
function actOfLast(parts: readonly string[], plain: readonly string[], pairs: readonly Pair[]): string | undefined {
  const at = parts.length - 1;
  const word = plain[at] ?? '';
  const before = plain[at - 1] ?? '';
  const last = withoutParameters(parts[at] ?? '');
  const isProgram = PROGRAM.test(last);
  const kind = NAME_FOLDERS.has(before) ? undefined : actOfWord(word);
  if (kind === 'sign out') return `sign out: /${last}`;
  if (isMemberCommand(word) && isThing(parts, at - 1)) return `${actOfWord(word) ?? word}: /${parts[at - 1]}/${last}`;
  if (DIRECTIONS.has(word) && isThing(parts, at - 1) && actOfWord(plain[at - 2] ?? '') === 'vote') return `vote: /${parts[at - 1]}/${last}`;
  const lead = NAME_FOLDERS.has(plain[at - 2] ?? '') ? undefined : actOfWord(before);
  if (lead !== undefined && isThing(parts, at)) return `${lead}: /${parts[at - 1]}/${last}`;
  if (CRON.has(word) && isProgram) return `runs jobs: /${last}`;
  if (pairs.length === 0) return undefined;
  const named = kind ?? (isProgram ? commandOfProgram(last) : undefined);
  const thing = named === undefined ? undefined : pairs.find((pair) => isThingPair(pair) || (named === 'unsubscribe' && pair.value !== ''));
  if (thing) return `${named}: /${last}?${thing.rawName}=`;
  return undefined;
}

/** Two parts that stand together: `cart/add`, `vote/up`, `theme/dark`, `language/change`; or one that is both, `set-theme`. */
function actOfPairs(parts: readonly string[], plain: readonly string[], pairs: readonly Pair[]): string | undefined {
  for (const [i, word] of plain.entries()) {
    if (isSettingCommand(parts[i] ?? '') && (i + 1 < parts.length || pairs.length > 0 || word.startsWith('toggle')))
      return `setting: /${parts[i]}`;
    const next = plain[plain[i + 1] === 'index' ? i + 2 : i + 1];
    const isLast = i === plain.length - 1;
    if (SETTINGS.has(word) && isLast && pairs.some(({ name }) => SETTING_COMMANDS.has(name) || name === 'to'))
      return `setting: /${parts[i]}?`;
    if (next === undefined) continue;
    const noun = tokensOf(parts[i] ?? '').at(-1) ?? '';
    if (CARTS.has(noun) && CART_COMMANDS.has(next)) return `cart: /${parts[i]}/${next}`;
    if (actOfWord(word) === 'vote' && DIRECTIONS.has(next)) return `vote: /${parts[i]}/${next}`;
    const hasValue = i + 2 < plain.length || pairs.length > 0;
    if (
      SETTINGS.has(word) &&
      ((SETTING_COMMANDS.has(next) && hasValue) || (THEMES.has(word) && SCHEMES.has(next) && i + 2 === plain.length))
    )
      return `setting: /${parts[i]}/${next}`;
    if (TOKENS.has((parts[i] ?? '').toLowerCase())) return `one-time token: /${parts[i]}`;
  }
  return undefined;
}

function actOfQuery(pairs: readonly Pair[]): string | undefined {
  for (const pair of pairs) {
    const rule = actOfPair(pair, pairs);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function actOfPair({ name, rawName, value }: Pair, pairs: readonly Pair[]): string | undefined {
  if (TOKENS.has(rawName)) return `one-time token: ?${rawName}=`;
  if (/^(?:0|false|no|off)$/i.test(value)) return undefined;
  if (COMMAND_NAMES.has(name) || actOfWord(name) === 'sign out') return `${actOfWord(name) ?? 'command'}: ?${rawName}=`;
  if (/^confirm(?:ed)?$/.test(name) && /^(?:yes|y|1|true|ok)$/i.test(value)) return `confirmed: ?${rawName}=${value}`;
  if (THEMES.has(name) && SCHEMES.has(plainWord(value))) return `setting: ?${rawName}=${value}`;
  if (isSettingCommand(rawName)) return `setting: ?${rawName}=`;
  if (isSwitchedOn(rawName, value)) return `command: ?${rawName}=${value}`;
  if (value === '') return undefined;
  if (ACTION_NAMES.has(name) && isActionValue(value)) return `${actOfWord(plainWord(value)) ?? 'command'}: ?${rawName}=${value}`;
  if (MARKS.has(name) && pairs.some((pair) => LOOSE_TOKENS.has(pair.rawName))) return `command: ?${rawName}=${value}`;
  if (/:userlogout$/i.test(value)) return `sign out: ?${rawName}=${value}`;
  if (!ROUTE_NAMES.has(name)) return undefined;
  const isPath = /[/.]/.test(value);
  const route = isPath
    ? actOfPath(
        value.replace(/^\//, '').replaceAll('.', '/'),
        pairs.filter((pair) => pair.value !== value),
      )
    : undefined;
  if (route !== undefined) return `${route} in ?${rawName}=`;
  return !isPath && name !== 'q' && actOfWord(plainWord(value)) === 'sign out' ? `sign out: ?${rawName}=${value}` : undefined;
}

/** `flush_privileges=1`, `purge-cache=yes`: a command that is switched on, where the name does not end in what a number would be of. */
function isSwitchedOn(name: string, value: string): boolean {
  if (!/^(?:1|true|yes|on)$/i.test(value)) return false;
  const tokens = tokensOf(name);
  return isSwitchedCommand(tokens[0] ?? '') && !/^(?:id|ids|count|date|time|page|no|nr|num)$/.test(tokens.at(-1) ?? '');
}

/** `delete`, `install-plugin`, `user.logout`, `trashPost`: a value that begins or ends with a command. */
function isActionValue(value: string): boolean {
  const tokens = tokensOf(value);
  return isCommand(plainWord(value)) || isCommand(tokens[0] ?? '') || isCommand(tokens.at(-1) ?? '');
}

/** `deleteUser.php`, `user_delete.php`: the command in the name of a program. */
function commandOfProgram(name: string): string | undefined {
  const tokens = tokensOf(name.replace(PROGRAM, ''));
  return actOfWord(tokens[0] ?? '') ?? actOfWord(tokens.at(-1) ?? '');
}

/** `set-theme`, `switchlang`, `toggle_theme`. */
function isSettingCommand(part: string): boolean {
  const match = /^(set|switch|change|toggle|select|choose)[-_.]?(\w+)$/i.exec(part);
  return match !== null && SETTINGS.has((match[2] ?? '').toLowerCase());
}

/** Whether a part is the number of a thing: digits that are no date, or what a program made up. */
function isThing(parts: readonly string[], at: number): boolean {
  const part = parts[at];
  if (part === undefined) return false;
  if (!/^\d{1,19}$/.test(part)) return isRandomLooking(part);
  const isYear = (text: string | undefined) => text !== undefined && /^(?:19|20)\d\d$/.test(text);
  return !isYear(parts[at - 1]) && !isYear(parts[at - 2]) && !(isYear(part) && (at === 0 || parts.length === at + 1));
}

function isThingPair({ rawName, value }: Pair): boolean {
  if (/^(?:page|p|pg|start|offset|limit|n|sort|order|lang)$/.test(rawName)) return false;
  return /(?:^|_|-)(?:id|key|token|hash|code|item|sku)$|^\w{0,4}id$/.test(rawName)
    ? value !== ''
    : /^\d+$/.test(value) || isRandomLooking(value);
}

function pairsOf(query: string): readonly Pair[] {
  return query.split(/[&;]/).flatMap((text) => {
    if (text === '') return [];
    const at = text.indexOf('=');
    const rawName = decodeLoosely(at < 0 ? text : text.slice(0, at)).toLowerCase();
    const value = at < 0 ? '' : decodeLoosely(text.slice(at + 1).replaceAll('+', ' '));
    return [{ rawName, name: plainWord(rawName), value }];
  });
}

/** The words of a name: at marks, and where small letters become large. */
function tokensOf(name: string): readonly string[] {
  return decodeLoosely(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '')
    .map(plainWord);
}

/** A part without what stands behind a semicolon. */
function withoutParameters(part: string): string {
  const at = part.indexOf(';');
  return at < 0 ? part : part.slice(0, at);
}
