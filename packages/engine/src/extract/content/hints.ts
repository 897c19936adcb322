// Words in class names, ids and short texts that hint at what a part of a page is for. Hints are weighed, never obeyed.
import { bitsOf } from './features/bits.ts';

/** What authors call the parts of a page, in the words that many of them use. One bit each. */
const NAME_GROUPS = {
  navigation:
    'nav navigation navbar menu menus submenu megamenu breadcrumb breadcrumbs crumbs tabs topnav navi sub submenus subnav dropdown mega object children ancestor',
  sidebar: 'sidebar aside rail side secondary widget widgets left right textwidget widgettitle',
  footer: 'footer foot bottom colophon copyright legal disclaimer privacy terms policy utility',
  header: 'header head masthead banner top topbar toolbar logo announcement',
  social: 'share sharing social follow facebook twitter socials sharebar likes',
  related:
    'related recommend recommended recommendations recommendation similar popular trending recent latest more upsell suggestions suggested also readmore outbrain taboola teaser teasers promo next previous prev adjacent recirc recirculation articles',
  advert: 'ad ads advert advertisement sponsor sponsored promotion promotions adsense dfp affiliate',
  signup: 'newsletter subscribe subscription signup optin register cta callout conversion leadform mailing demo button buttons btn actions',
  meta: 'meta byline author authors date time published tags tag category categories posted timestamp info dateline bio',
  content: 'content article entry post story body text main maincontent richtext wysiwyg prose markdown rte copy page primary',
  comment: 'comment comments respond disqus discussion commentlist commentform',
  message: 'message messages reply replies thread topic posts postbody answer answers question questions quote conversation',
  product: 'product products price prices pdp sku buy variant variants shop swatch',
  detail: 'description desc details detail specs specification specifications features feature summary overview about excerpt intro lead',
  review: 'review reviews rating ratings stars testimonial testimonials',
  cookie: 'cookie cookies consent gdpr modal popup overlay lightbox dialog drawer offcanvas toast notification notice alert',
  hidden: 'hidden hide sr only visually invisible screenreader offscreen collapse collapsed tooltip popover',
  item: 'item items card cards tile tiles result results grid list listing teaser row col collection catalog entries feed',
  pager: 'pagination pager paging pages pagenav loadmore',
  account: 'login account cart checkout basket user profile wishlist signin',
  filter: 'filter filters facet facets sort sorting refine refinements search input field fields checkbox submit',
  faq: 'faq faqs accordion tab tabpanel panel toggle expander expanded',
  hero: 'hero jumbotron slider carousel slide slideshow swiper gallery intro',
  contents: 'toc contents outline anchors onthispage tableofcontents',
  caption: 'caption credit figure image photo media video gallery wp captions',
  title: 'title headline heading subtitle',
  signature: 'signature sig avatar badge stats counts count views karma likes userinfo postprofile rank',
  code: 'code highlight codehilite snippet example syntax pre',
} as const;

/** The groups of names, in the order of their bits. */
export const NAME_GROUP_NAMES: readonly string[] = Object.keys(NAME_GROUPS);

const BIT_OF_NAME = new Map<string, number>();
Object.values(NAME_GROUPS).forEach((words, bit) => {
  for (const word of words.split(' ')) BIT_OF_NAME.set(word, (BIT_OF_NAME.get(word) ?? 0) | (1 << bit));
});

/** The bit set of name groups that a class or id attribute hints at; camel case and any punctuation part words. */
export function nameHints(attribute: string): number {
  let hints = 0;
  for (const word of attribute.match(/[A-Z]+[a-z]*|[a-z]+/g) ?? []) hints |= BIT_OF_NAME.get(word.toLowerCase()) ?? 0;
  return hints;
}

/** What short texts round the content say, in several languages. One bit each. */
const PHRASE_GROUPS: Readonly<Record<string, RegExp>> = {
  signup: /\b(?:subscribe|newsletter|sign up|e-?mail address|your inbox|abonn\w+|inscri\w+|suscr\w+)\b/i,
  share: /\b(?:share|tweet|facebook|twitter|linkedin|pinterest|whatsapp|instagram|teilen|partager|compart\w+|follow us|print)\b/i,
  cookie: /\b(?:cookies?|consent|gdpr)\b/i,
  copyright: /©|\(c\) ?\d{4}|\b(?:copyright|all rights reserved|tous droits|alle rechte|todos los derechos)\b/i,
  legal: /\b(?:privacy|terms (?:of|and|&)|disclaimer|imprint|impressum|datenschutz|accessibility statement)\b/i,
  more: /\b(?:read more|learn more|see more|view all|see all|show more|load more|view more|shop now|get started|find out more|continue reading|weiterlesen|lire la suite|leer más|more info|explore)\b/i,
  related:
    /\b(?:related|you (?:may|might) (?:also )?(?:like|enjoy)|also (?:like|bought|viewed)|recommended|more (?:from|in|on|stories)|popular|trending|latest|recent(?:ly)?|similar|most read|further reading|read next|up next|featured)\b/i,
  comments: /\b(?:comments?|leave a reply|reply|respond|kommentare?|commentaires?|comentarios?|your thoughts)\b/i,
  account: /\b(?:log ?in|sign ?in|register|create an? account|my account|forgot|password|join (?:now|us|free))\b/i,
  advert: /\b(?:advertisements?|sponsored|anzeige|publicit\w+|promoted|affiliate|commission)\b/i,
  shop: /\b(?:add to (?:cart|bag|basket|wishlist)|checkout|in stock|out of stock|quantity|free (?:shipping|delivery)|shipping|returns?|wishlist|cart)\b/i,
  filter: /\b(?:filters?|sort(?:ed)? by|search|results? (?:per|for)|clear all|refine|showing \d)\b/i,
  byline:
    /^(?:by|von|par|por|posted|published|updated|last (?:updated|modified|reviewed)|written)\b|\b(?:min(?:utes?)? read|posted (?:by|on|in)|published on|last updated|filed under|tagged)\b/i,
  pager: /^(?:next|previous|prev|older|newer|first|last|page \d+|\d+|«|»|‹|›|←|→)(?:\s|$)|\bpage \d+ of \d+/i,
  skip: /\b(?:skip to|back to top|scroll to|jump to|menu|home|breadcrumb|table of contents|on this page|in this (?:article|guide|post))\b/i,
  contact: /\b(?:contact us|call us|phone|tel|e-?mail|address|opening hours|locations?|\d{3}[-. ]\d{3}[-. ]\d{4})\b/i,
  reviews: /\b(?:reviews?|ratings?|stars?|verified|customers? (?:say|reviews?|questions)|helpful)\b/i,
  forum: /\b(?:joined|posts?|likes?|quote|thread|members?|points?|views|replies|solved|edited|said|wrote|reputation|report|ago)\b/i,
  biography:
    /\b(?:about the author|is an? (?:\w+ ){0,3}(?:writer|author|editor|journalist|reporter|freelance\w*)|author bio|follow (?:him|her|them))\b/i,
  questions: /\b(?:faqs?|frequently asked|questions)\b/i,
  noscript: /\blorem ipsum\b|\b(?:javascript|your browser|unsupported|adblock\w*|ad blocker)\b/i,
};

/** The groups of phrases, in the order of their bits. */
export const PHRASE_GROUP_NAMES: readonly string[] = Object.keys(PHRASE_GROUPS);

const PHRASES = Object.values(PHRASE_GROUPS);

/** The bits of all groups of phrases. */
export const ALL_PHRASES = 2 ** PHRASES.length - 1;

/** Which groups of phrases are looked for, as bits: in every block, and in headings besides. */
export interface AskedPhrases {
  readonly every: number;
  readonly headings: number;
}

/** Groups that long texts are tested for as well: consent, legal and placeholder texts run long. */
const LONG_GROUPS = ['cookie', 'copyright', 'legal', 'biography', 'noscript', 'reviews', 'advert'].reduce(
  (bits, name) => bits | (1 << PHRASE_GROUP_NAMES.indexOf(name)),
  0,
);

/** The bit set of those of the phrase groups `asked` that a text has; one of more than 240 characters is asked only for a few of them. */
export function phraseHints(text: string, asked = ALL_PHRASES): number {
  const isLong = text.length > 240;
  const read = isLong ? text.slice(0, 1000) : text;
  let hints = 0;
  for (const bit of bitsOf(isLong ? asked & LONG_GROUPS : asked)) if ((PHRASES[bit] as RegExp).test(read)) hints |= 1 << bit;
  return hints;
}
