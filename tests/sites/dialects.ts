// How forums and shops write and read their addresses: the same views in four dialects.

/** What a program can show. */
export type View =
  | { readonly kind: 'home' }
  | { readonly kind: 'register' }
  | { readonly kind: 'board'; readonly board: number; readonly page: number; readonly sort?: string }
  | ({ readonly kind: 'topic'; readonly page: number } & TopicPlace)
  | ({ readonly kind: 'print' } & TopicPlace)
  | ({ readonly kind: 'reply' } & TopicPlace)
  | ({ readonly kind: 'next' } & TopicPlace)
  | { readonly kind: 'user'; readonly user: number }
  | { readonly kind: 'login'; readonly text: string }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'month'; readonly month: string };

interface TopicPlace {
  readonly board: number;
  readonly topic: number;
}

/** How a program writes its addresses, and reads them. */
export interface Dialect {
  readonly name: string;
  write(view: View): string;
  read(url: URL, value: (name: string) => string | undefined): View | undefined;
}

/** Topics of a board, and how many of them one part of its list shows. */
export const TOPICS = 24;
export const PER_PAGE = 8;

const escaped = encodeURIComponent;
const numberOf = (text: string | undefined): number => Number(text ?? 0);
const YII: Dialect = {
  name: 'index.php?r=board/view&id=1',
  write(view) {
    const at = (route: string, rest = '') => `/index.php?r=${route}${rest}`;
    if (view.kind === 'home') return at('site/index');
    if (view.kind === 'board')
      return at(
        'board/view',
        `&id=${view.board}${view.page > 0 ? `&page=${view.page}` : ''}${view.sort === undefined ? '' : `&sort=${view.sort}`}`,
      );
    if (view.kind === 'user') return at('user/view', `&id=${view.user}`);
    if (view.kind === 'login') return at('site/login', `&back=${escaped(view.text)}`);
    if (view.kind === 'register') return at('site/register');
    if (view.kind === 'search') return at('site/search', `&q=${escaped(view.text)}`);
    if (view.kind === 'month') return at('site/calendar', `&month=${view.month}`);
    return at(
      `topic/${view.kind === 'topic' ? 'view' : view.kind}`,
      `&id=${view.board * 100 + view.topic}${view.kind === 'topic' && view.page > 0 ? `&page=${view.page}` : ''}`,
    );
  },
  read(url, value) {
    if (url.pathname !== '/index.php') return undefined;
    const [noun = '', verb = ''] = (value('r') ?? 'site/index').split('/');
    const id = numberOf(value('id'));
    const page = numberOf(value('page'));
    const sort = value('sort');
    if (noun === 'board') return { kind: 'board', board: id, page, ...(sort === undefined ? {} : { sort }) };
    if (noun === 'user') return { kind: 'user', user: id };
    if (noun === 'topic') return topicView(verb, Math.floor(id / 100), id % 100, page);
    if (verb === 'login') return { kind: 'login', text: value('back') ?? '' };
    if (verb === 'register') return { kind: 'register' };
    if (verb === 'search') return { kind: 'search', text: value('q') ?? '' };
    return verb === 'calendar' ? { kind: 'month', month: value('month') ?? '2026-11' } : { kind: 'home' };
  },
};

function topicView(verb: string, board: number, topic: number, page: number): View {
  return verb === 'print' || verb === 'reply' || verb === 'next' ? { kind: verb, board, topic } : { kind: 'topic', board, topic, page };
}

const SMF: Dialect = {
  name: 'index.php?topic=12.0;prev_next=next',
  write(view) {
    const at = (query: string) => `/index.php${query === '' ? '' : `?${query}`}`;
    if (view.kind === 'home') return at('');
    if (view.kind === 'board')
      return at(`board=${view.board + 1}.${view.page * PER_PAGE}${view.sort === undefined ? '' : `;sort=${view.sort};desc`}`);
    if (view.kind === 'user') return at(`action=profile;u=${view.user + 1}`);
    if (view.kind === 'login') return at(`action=login;back=${escaped(view.text)}`);
    if (view.kind === 'register') return at('action=register');
    if (view.kind === 'search') return at(`action=search2;search=${escaped(view.text)}`);
    if (view.kind === 'month') return at(`action=calendar;year=${view.month.slice(0, 4)};month=${Number(view.month.slice(5))}`);
    const topic = `topic=${view.board * 100 + view.topic}`;
    if (view.kind === 'topic') return at(`${topic}.${view.page * 15}`);
    if (view.kind === 'next') return at(`${topic}.0;prev_next=next`);
    return at(view.kind === 'print' ? `action=printpage;${topic}.0` : `action=post;${topic}.0;last_msg=${view.topic * 31}`);
  },
  read(url, value) {
    if (url.pathname !== '/index.php') return undefined;
    const [topic = 0, start = 0] = (value('topic') ?? '').split('.').map(Number);
    const at = { board: Math.floor(topic / 100), topic: topic % 100 };
    const action = value('action');
    if (action === 'profile') return { kind: 'user', user: numberOf(value('u')) - 1 };
    if (action === 'login') return { kind: 'login', text: value('back') ?? '' };
    if (action === 'register') return { kind: 'register' };
    if (action === 'search2') return { kind: 'search', text: value('search') ?? '' };
    if (action === 'calendar') return { kind: 'month', month: `${value('year')}-${(value('month') ?? '').padStart(2, '0')}` };
    if (action === 'printpage') return { kind: 'print', ...at };
    if (action === 'post') return { kind: 'reply', ...at };
    if (value('prev_next')) return { kind: 'next', ...at };
    if (value('topic')) return { kind: 'topic', ...at, page: start / 15 };
    const [board = 0, first = 0] = (value('board') ?? '').split('.').map(Number);
    const sort = value('sort');
    return value('board')
      ? { kind: 'board', board: board - 1, page: first / PER_PAGE, ...(sort === undefined ? {} : { sort }) }
      : { kind: 'home' };
  },
};

const PHPBB: Dialect = {
  name: 'viewtopic.php?f=2&t=10&start=25',
  write(view) {
    if (view.kind === 'home') return '/index.php';
    if (view.kind === 'board')
      return `/viewforum.php?f=${view.board}${view.page > 0 ? `&start=${view.page * 25}` : ''}${view.sort === undefined ? '' : `&sk=${view.sort[0]}&sd=a`}`;
    if (view.kind === 'user') return `/memberlist.php?mode=viewprofile&u=${view.user + 1990}`;
    if (view.kind === 'login') return `/ucp.php?mode=login&redirect=${escaped(view.text)}`;
    if (view.kind === 'register') return '/ucp.php?mode=register';
    if (view.kind === 'search') return `/search.php?keywords=${escaped(view.text)}`;
    if (view.kind === 'month') return `/calendar.php?month=${view.month}`;
    const at = `f=${view.board}&t=${view.board * 100 + view.topic}`;
    if (view.kind === 'reply') return `/posting.php?mode=reply&${at}`;
    return `/viewtopic.php?${at}${view.kind === 'topic' ? (view.page > 0 ? `&start=${view.page * 25}` : '') : `&view=${view.kind}`}`;
  },
  read(url, value) {
    const script = url.pathname.slice(1, -4);
    const board = numberOf(value('f'));
    const topic = numberOf(value('t')) % 100;
    const page = numberOf(value('start')) / 25;
    const sort = value('sk');
    if (script === 'viewforum') return { kind: 'board', board, page, ...(sort === undefined ? {} : { sort }) };
    if (script === 'viewtopic') return topicView(value('view') ?? 'view', board, topic, page);
    if (script === 'posting') return { kind: 'reply', board, topic };
    if (script === 'memberlist') return { kind: 'user', user: numberOf(value('u')) - 1990 };
    if (script === 'ucp') return value('mode') === 'login' ? { kind: 'login', text: value('redirect') ?? '' } : { kind: 'register' };
    if (script === 'search') return { kind: 'search', text: value('keywords') ?? '' };
    if (script === 'calendar') return { kind: 'month', month: value('month') ?? '2026-11' };
    return script === 'index' ? { kind: 'home' } : undefined;
  },
};

const OPENCART: Dialect = {
  name: 'index.php?route=product/product&path=20&product_id=1',
  write(view) {
    const at = (route: string, rest = '') => `/index.php?route=${route}${rest}`;
    if (view.kind === 'home') return at('common/home');
    if (view.kind === 'board')
      return at(
        'product/category',
        `&path=20_${view.board + 20}${view.page > 0 ? `&page=${view.page + 1}` : ''}${view.sort === undefined ? '' : `&sort=p.${view.sort}&order=ASC`}`,
      );
    if (view.kind === 'user') return at('product/manufacturer/info', `&manufacturer_id=${view.user}`);
    if (view.kind === 'login') return at('account/login', `&redirect=${escaped(view.text)}`);
    if (view.kind === 'register') return at('account/register');
    if (view.kind === 'search') return at('product/search', `&search=${escaped(view.text)}`);
    if (view.kind === 'month') return at('extension/calendar', `&date=${view.month}-01`);
    const id = view.board * 100 + view.topic;
    if (view.kind === 'reply') return at('account/wishlist', `&product_id=${id}`);
    if (view.kind === 'next') return OPENCART.write({ ...view, kind: 'topic', topic: (view.topic + 1) % TOPICS, page: 0 });
    return at(
      view.kind === 'print' ? 'product/print' : 'product/product',
      `&path=20_${view.board + 20}&product_id=${id}${view.kind === 'topic' && view.page > 0 ? `&review=${view.page}` : ''}`,
    );
  },
  read(url, value) {
    if (url.pathname !== '/index.php') return undefined;
    const route = value('route') ?? 'common/home';
    const id = numberOf(value('product_id'));
    const at = { board: Math.floor(id / 100), topic: id % 100 };
    const sort = value('sort');
    if (route === 'product/category')
      return {
        kind: 'board',
        board: numberOf(value('path')?.split('_')[1]) - 20,
        page: Math.max(numberOf(value('page')) - 1, 0),
        ...(sort === undefined ? {} : { sort: sort.slice(2) }),
      };
    if (route === 'product/product') return { kind: 'topic', ...at, page: numberOf(value('review')) };
    if (route === 'product/print') return { kind: 'print', ...at };
    if (route === 'account/wishlist') return { kind: 'reply', ...at };
    if (route === 'product/manufacturer/info') return { kind: 'user', user: numberOf(value('manufacturer_id')) };
    if (route === 'account/login') return { kind: 'login', text: value('redirect') ?? '' };
    if (route === 'account/register') return { kind: 'register' };
    if (route === 'product/search') return { kind: 'search', text: value('search') ?? '' };
    return route === 'extension/calendar' ? { kind: 'month', month: (value('date') ?? '').slice(0, 7) } : { kind: 'home' };
  },
};

/** All of them. */
export const DIALECTS: readonly Dialect[] = [YII, SMF, PHPBB, OPENCART];
