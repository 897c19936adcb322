// Generated sites whose pages all lie behind one or few scripts, as forums, shops, tools and code browsers write their addresses.
import type { Answer, LocalSite } from './crawl-sites.ts';
import { startSite } from './crawl-sites.ts';
import { DIALECTS, PER_PAGE, TOPICS } from './dialects.ts';
import type { Dialect, View } from './dialects.ts';

/** One kind of program. */
export interface FrontController {
  readonly name: string;
  /** Where a crawl begins. */
  readonly start: string;
  /** What must be found, as it is said in the text of the pages: `topic 3 of board 1, part 2`. */
  readonly contents: readonly string[];
  answer(url: URL): Answer;
}

/** A running site that notes what it showed. */
export interface FrontControllerSite extends LocalSite {
  /** How often each content was answered; '' stands for pages that are none: traps, log-in forms, other orders of a list. */
  readonly shown: ReadonlyMap<string, number>;
}

const BOARDS = 5;
const USERS = 20;
const SORTS = ['subject', 'author', 'date'];
const escaped = encodeURIComponent;
/** A shop of words, so that texts differ as texts do: by letters, not by numbers alone. */
const SYLLABLES = 'ba be bi bo bu da de di do du fa fe fi fo fu ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu'.split(' ');

function word(number: number): string {
  let text = '';
  for (let rest = number + 37; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) text += SYLLABLES[rest % SYLLABLES.length];
  return text + 'm';
}

function sentence(seed: number): string {
  return Array.from({ length: 14 }, (_, i) => word(((seed + 1) * 7919 + i * i * 104_729) % 1_000_003)).join(' ');
}

/** A forum in the dialect of one program, with what such programs link beside their pages. */
class Forum implements FrontController {
  readonly name: string;
  readonly start: string;
  readonly contents: readonly string[];
  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    this.name = dialect.name;
    this.start = dialect.write({ kind: 'home' });
    this.contents = [
      'home',
      ...range(BOARDS).flatMap((board) => [
        ...range(TOPICS / PER_PAGE).map((page) => `board ${board}, part ${page}`),
        ...range(TOPICS).flatMap((topic) => range(partsOf(topic)).map((page) => `topic ${topic} of board ${board}, part ${page}`)),
      ]),
      ...range(USERS).map((user) => `user ${user}`),
    ];
  }

  answer(url: URL): Answer {
    const pairs = new Map(
      url.search
        .slice(1)
        .split(/[&;]/)
        .map((pair) => [pair.split('=', 1)[0] ?? '', decodeURIComponent(pair.slice(pair.indexOf('=') + 1).replaceAll('+', ' '))]),
    );
    const view = this.dialect.read(url, (name) => pairs.get(name));
    return view && this.page(view, url.pathname + url.search);
  }

  private page(view: View, own: string): Answer {
    const { kind } = view;
    if (kind === 'home')
      return this.show(
        'home',
        sentence(0),
        range(BOARDS).map((board) => ({ kind: 'board', board, page: 0 }) as const),
        own,
      );
    if (kind === 'register') return this.show('', 'Choose a name and a password to become a member of this board.', [], own);
    if (kind === 'login') return this.show('', 'Please give your name and your password to go on from here.', [{ kind: 'register' }], own);
    if (kind === 'reply')
      return this.show('', 'Only members can write here, please log in before you answer to anything.', [{ kind: 'register' }], own);
    if (kind === 'search') {
      const links = [`${view.text} more`, `best ${view.text}`].map((text) => ({ kind: 'search', text }) as const);
      return this.show('', `Nothing was found for ${view.text}, please try one of the other searches.`, links, own);
    }
    if (kind === 'month') {
      const at = new Date(`${view.month}-01T00:00:00Z`);
      const links = [-1, 1].map((by) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by, 1)).toISOString().slice(0, 7));
      return this.show(
        '',
        `Monday Tuesday Wednesday Thursday Friday Saturday Sunday ${view.month}`,
        links.map((month) => ({ kind: 'month', month })),
        own,
      );
    }
    if (kind === 'user') return view.user < USERS ? this.show(`user ${view.user}`, sentence(9_000 + view.user), [], own) : undefined;
    if (kind === 'board') return this.board(view, own);
    return this.topic(view, own);
  }

  private board({ board, page, sort }: Extract<View, { kind: 'board' }>, own: string): Answer {
    if (board >= BOARDS || page >= TOPICS / PER_PAGE) return undefined;
    const topics = range(PER_PAGE).map((i) => page * PER_PAGE + i);
    // Another order of the whole list: its parts hold other rows.
    const whole =
      sort === undefined
        ? topics
        : range(TOPICS)
            .toSorted((a, b) => ((a * 7 + sort.length) % TOPICS) - ((b * 7 + sort.length) % TOPICS))
            .slice(page * PER_PAGE, (page + 1) * PER_PAGE);
    const links: View[] = [
      ...whole.map((topic) => ({ kind: 'topic', board, topic, page: 0 }) as const),
      ...whole.map((topic) => ({ kind: 'user', user: (topic * 3 + board) % USERS }) as const),
      ...range(TOPICS / PER_PAGE).map((other) => ({ kind: 'board', board, page: other, ...(sort === undefined ? {} : { sort }) }) as const),
      ...SORTS.map((other) => ({ kind: 'board', board, page, sort: other }) as const),
    ];
    return this.show(
      sort === undefined ? `board ${board}, part ${page}` : '',
      whole.map((topic) => word(board * 100 + topic)).join(' '),
      links,
      own,
    );
  }

  private topic(view: Extract<View, { topic: number }>, own: string): Answer {
    const { board } = view;
    const topic = view.kind === 'next' ? (view.topic + 1) % TOPICS : view.topic;
    if (board >= BOARDS || topic >= TOPICS) return undefined;
    const seed = board * 1_000 + topic * 10;
    if (view.kind === 'print')
      return this.show(
        `print of topic ${topic} of board ${board}`,
        `Printed: ${range(partsOf(topic))
          .map((page) => sentence(seed + page))
          .join(' ')}`,
        [],
        own,
      );
    const page = view.kind === 'topic' ? view.page : 0;
    if (page >= partsOf(topic)) return undefined;
    const links: View[] = [
      { kind: 'board', board, page: 0 },
      ...range(partsOf(topic)).map((other) => ({ kind: 'topic', board, topic, page: other }) as const),
      { kind: 'print', board, topic },
      { kind: 'reply', board, topic },
      { kind: 'next', board, topic },
    ];
    return this.show(`topic ${topic} of board ${board}, part ${page}`, sentence(seed + page), links, own);
  }

  private show(content: string, text: string, links: readonly View[], own: string): Answer {
    const menu: readonly View[] = [
      { kind: 'home' },
      { kind: 'login', text: own },
      { kind: 'search', text: 'news' },
      { kind: 'month', month: '2026-11' },
    ];
    return contentPage(
      content,
      text,
      [...menu, ...links].map((link) => this.dialect.write(link)),
    );
  }
}

/** Topics have one to three parts. */
function partsOf(topic: number): number {
  return 1 + (topic % 3);
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, i) => i);
}

function contentPage(content: string, text: string, links: readonly string[]): Answer {
  const anchors = links.map((href) => `<li><a href="${href.replaceAll('&', '&amp;')}">go</a></li>`).join('\n');
  return {
    status: 200,
    headers: { 'x-content': content },
    body: `<!doctype html><title>${text.slice(0, 30)}</title><h1>${text.slice(0, 30)}</h1><p>${text}</p><ul>${anchors}</ul>`,
  };
}

/** A code browser: trees, blobs, commits and their differences, everything with hashes. */
class Repository implements FrontController {
  readonly name = '?p=repo.git;a=blob;f=src/x;h=...';
  readonly start = '/?p=repo.git;a=summary';
  readonly contents: readonly string[];
  private static readonly folders = ['', 'src', 'src/views', 'src/views/parts', 'src/lib', 'lib', 'docs', 'docs/api', 'tests'];
  private static readonly commits = 30;

  constructor() {
    const { folders, commits } = Repository;
    this.contents = [
      'summary',
      ...folders.flatMap((folder) => [
        `tree /${folder}`,
        ...range(6).map((file) => `blob ${[folder, `file${file}.js`].filter(Boolean).join('/')}`),
      ]),
      ...range(commits).flatMap((commit) => [`commit ${commit}`, `commitdiff ${commit}`]),
      ...range(commits / 10).map((page) => `log ${page}`),
    ];
  }

  answer(url: URL): Answer {
    if (url.pathname !== '/') return undefined;
    const value = new Map(
      url.search
        .slice(1)
        .split(';')
        .map((pair) => [pair.split('=', 1)[0], decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
    );
    const folder = value.get('f') ?? '';
    const commit = Number.parseInt((value.get('h') ?? '').slice(1, 3), 16);
    switch (value.get('a') ?? 'summary') {
      case 'summary':
        return this.show('summary', [this.log(0), this.tree(''), ...range(5).map((number) => this.commit(number))]);
      case 'shortlog':
        return this.show(`log ${value.get('pg') ?? 0}`, [
          ...range(10).map((i) => this.commit(Number(value.get('pg') ?? 0) * 10 + i)),
          ...range(3).map((page) => this.log(page)),
        ]);
      case 'tree': {
        if (!Repository.folders.includes(folder)) return undefined;
        const below = Repository.folders.filter(
          (other) => other !== '' && (other.includes('/') ? other.slice(0, other.lastIndexOf('/')) : '') === folder,
        );
        return this.show(`tree /${folder}`, [
          ...below.map((other) => this.tree(other)),
          ...range(6).map((file) => this.blob([folder, `file${file}.js`].filter(Boolean).join('/'))),
        ]);
      }
      case 'blob':
        return this.show(`blob ${folder}`, [
          this.tree(''),
          this.tree(folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : ''),
        ]);
      case 'commit':
        return this.show(`commit ${commit}`, [
          `/?p=repo.git;a=commitdiff;h=${value.get('h')}`,
          ...(commit + 1 < Repository.commits ? [this.commit(commit + 1)] : []),
        ]);
      case 'commitdiff':
        return this.show(`commitdiff ${commit}`, [this.commit(commit)]);
      case 'search': {
        const text = value.get('s') ?? '';
        return contentPage('', `No match for ${text}, please search for other words in the messages of commits.`, [
          this.start,
          `/?p=repo.git;a=search;s=${escaped(`${text} not`)}`,
          `/?p=repo.git;a=search;s=${escaped(`any ${text}`)}`,
        ]);
      }
      default:
        return undefined;
    }
  }

  private show(content: string, links: readonly string[]): Answer {
    const seed = [...content].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_003, 7);
    return contentPage(content, `${content.split(' ')[0]}: ${sentence(seed)}`, [
      this.start,
      '/?p=repo.git;a=search;s=fix',
      this.log(0),
      ...links,
    ]);
  }

  private log(page: number): string {
    return `/?p=repo.git;a=shortlog${page > 0 ? `;pg=${page}` : ''}`;
  }

  private tree(folder: string): string {
    return `/?p=repo.git;a=tree${folder === '' ? '' : `;f=${folder};h=${hashOf(folder)}`};hb=c00`;
  }

  private blob(file: string): string {
    return `/?p=repo.git;a=blob;f=${file};h=${hashOf(file)};hb=c00`;
  }

  private commit(number: number): string {
    const hex = number.toString(16).padStart(2, '0');
    return `/?p=repo.git;a=commit;h=c${hex}${hashOf(hex)}`;
  }
}

/** A wiki of which most pages are stubs of the same words, with forms and histories that ask to log in. */
class Wiki implements FrontController {
  readonly name = 'index.php?title=Page&action=edit';
  readonly start = '/index.php?title=Main';
  readonly contents: readonly string[];
  private readonly titles: readonly string[];

  constructor() {
    const stems = range(12).map((number) => capital(word(number)));
    this.titles = [
      'Main',
      ...stems.flatMap((stem) => [
        stem,
        `${stem}s`,
        `${stem}_list`,
        `Talk:${stem}`,
        ...range(8).map((i) => `${stem}/${capital(word(100 + i))}`),
      ]),
    ];
    this.contents = this.titles.map((title) => `page ${title}`);
  }

  answer(url: URL): Answer {
    const { searchParams: query } = url;
    const title = query.get('title') ?? 'Main';
    const menu = [
      this.start,
      `/index.php?title=Special:UserLogin&returnto=${escaped(title)}`,
      `/index.php?title=Special:Search&search=news`,
    ];
    if (title === 'Special:UserLogin')
      return contentPage('', 'Log in with your name and your password, or make an account of your own.', menu);
    if (title === 'Special:Search') {
      const text = query.get('search') ?? '';
      const further = [`${text} page`, `the ${text}`].map((more) => `/index.php?title=Special:Search&search=${escaped(more)}`);
      return contentPage('', `There is no page with ${text}, which you could make.`, [...menu, ...further]);
    }
    if (query.get('action') === 'edit')
      return contentPage('', 'You do not have permission to edit pages here, because only members may.', menu);
    const at = this.titles.indexOf(title);
    if (at < 0) return undefined;
    if (query.get('action') === 'history')
      return contentPage(`history ${title}`, `History of ${title}: made by ${word(at)} and changed by ${word(at * 3)}`, menu);
    const text = at % 3 === 0 ? sentence(at) : `${title.replace('_', ' ')} is a stub, which you can help to write more of.`;
    const own = `/index.php?title=${escaped(title)}`;
    // The first page names all others, as an index does.
    const links = title === 'Main' ? this.titles.map((other) => `/index.php?title=${escaped(other)}`) : [];
    return contentPage(`page ${title}`, `${title.replace(/[_/:]/g, ' ')}: ${text}`, [
      ...menu,
      `${own}&action=edit`,
      `${own}&action=history`,
      ...links,
    ]);
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function hashOf(text: string): string {
  return [...text]
    .reduce((sum, letter) => (sum * 33 + letter.charCodeAt(0)) % 0xffffffff, 5381)
    .toString(16)
    .padStart(8, '0')
    .repeat(2);
}

/** One of each dialect. */
export const FRONT_CONTROLLERS: readonly FrontController[] = [
  ...DIALECTS.map((dialect) => new Forum(dialect)),
  new Repository(),
  new Wiki(),
];

/** Starts the site of a program. */
export async function frontControllerSite(program: FrontController): Promise<FrontControllerSite> {
  const shown = new Map<string, number>();
  const site = await startSite((_path, url) => {
    const answer = program.answer(url);
    const content = typeof answer === 'object' ? answer.headers?.['x-content'] : undefined;
    if (content !== undefined) shown.set(content, (shown.get(content) ?? 0) + 1);
    return answer;
  });
  return { ...site, shown };
}
