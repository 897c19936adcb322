// Small pages of every type, written for the tests of page type and main content.
import type { PageType } from './page-type.ts';

/** A page whose type and content are known. */
export interface FixturePage {
  readonly type: PageType;
  readonly url: string;
  readonly html: string;
  /** Pieces that the content must have, and pieces that it must not have. */
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
}

const NAV = `<header class="site-header"><nav><ul>${['Home', 'Products', 'About us', 'Contact'].map((name) => `<li><a href="/${name}">${name}</a></li>`).join('')}</ul></nav></header>`;
const FOOTER = `<footer class="site-footer"><p>© 2024 Example Ltd. All rights reserved.</p><ul><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li></ul></footer>`;

const frame = (title: string, head: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${NAV}${body}${FOOTER}</body></html>`;

const SENTENCES = [
  'The old bridge over the river was closed in spring, after engineers had found cracks in two of its pillars.',
  'Since then, commuters have taken the ferry, which runs every twenty minutes and is free of charge until winter.',
  'The council expects that the repair will cost about four million, half of which the region has promised to pay.',
  'Shop owners on both banks say that they have lost customers, although some of them welcome the quiet streets.',
  'A decision about a new bridge, wide enough for trams, is planned for next year, once the traffic study is done.',
];

/** Paragraph `i` of running text, different for every `i` below 25. */
export const paragraph = (i: number) => `${SENTENCES[i % 5]} ${SENTENCES[(i + 1 + Math.floor(i / 5)) % 5]}`;

const repeat = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join('\n');

const article: FixturePage = {
  type: 'article',
  url: 'https://news.example.org/2024/05/bridge-closed-for-repair',
  html: frame(
    'Bridge closed for repair - Example News',
    '<meta property="og:type" content="article"><script type="application/ld+json">{"@type":"NewsArticle","headline":"Bridge closed for repair"}</script>',
    `<main><article><h1>Bridge closed for repair</h1><p class="byline">By Ann Writer</p>${repeat(8, (i) => `<p>${paragraph(i)}</p>`)}</article>
    <section class="related"><h2>Related stories</h2><ul>${repeat(4, (i) => `<li><a href="/s${i}">Another story number ${i} that you may like</a></li>`)}</ul></section>
    <section id="comments" class="comments"><h2>3 comments</h2>${repeat(3, (i) => `<div class="comment"><b>reader${i}</b> <a href="#r">Reply</a><p>I think so too, remark ${i}.</p></div>`)}</section></main>`,
  ),
  wanted: ['closed in spring', 'wide enough for trams'],
  unwanted: ['Privacy policy', 'Another story number 2', 'All rights reserved'],
};

const documentation: FixturePage = {
  type: 'documentation',
  url: 'https://docs.example.org/en/latest/guide/configuration.html',
  html: frame(
    'Configuration guide - Example documentation',
    '<meta name="generator" content="Docutils 0.18: http://docutils.sourceforge.net/">',
    `<div class="sidebar toc"><ul>${repeat(12, (i) => `<li><a href="c${i}.html">Chapter ${i}</a></li>`)}</ul></div>
    <div class="document" role="main"><h1>Configuration</h1>${repeat(
      6,
      (i) =>
        `<section id="s${i}"><h2>Option group ${i}</h2><p>${paragraph(i)}</p><pre><code>[server]\nport = 80${i}\nworkers = ${i}</code></pre><p>Set <code>workers</code> to the number of cores, or leave it out to use the default.</p></section>`,
    )}</div>`,
  ),
  wanted: ['Option group 3', 'port = 804', 'number of cores'],
  unwanted: ['Privacy policy', 'Chapter 7'],
};

const service: FixturePage = {
  type: 'service',
  url: 'https://www.example.com/services/roof-repair',
  html: frame(
    'Roof repair services | Example Roofing Company',
    '<script type="application/ld+json">{"@type":"Service","name":"Roof repair"}</script>',
    `<main><section class="hero"><h1>Roof repair you can rely on</h1><p>Our team mends roofs of every kind, in every season, with a ten year guarantee.</p><a class="btn" href="/quote">Get a quote</a></section>
    ${repeat(4, (i) => `<section class="feature"><h2>Why clients choose us, reason ${i}</h2><p>Our experts come within a day, explain what they found, and give a fixed price before any work begins on step ${i}.</p></section>`)}
    <section class="faq"><h2>Frequently asked questions</h2>${repeat(3, (i) => `<details open><summary>How long does job ${i} take?</summary><p>Most repairs of kind ${i} take one day, larger ones up to a week.</p></details>`)}</section>
    <section class="cta"><h2>Contact us today</h2><p>Call us for a free consultation.</p></section></main>`,
  ),
  wanted: ['fixed price before any work', 'up to a week', 'ten year guarantee'],
  unwanted: ['Privacy policy', 'All rights reserved'],
};

const forum: FixturePage = {
  type: 'forum',
  url: 'https://forum.example.org/threads/rear-brake-squeals.1234/',
  html: frame(
    'Rear brake squeals | Example bicycle forum',
    '<meta name="generator" content="XenForo">',
    `<div class="p-body"><h1>Rear brake squeals</h1>${repeat(
      7,
      (
        i,
      ) => `<article class="message message--post"><div class="message-user"><a href="/members/${i}">rider${i}</a><span>Joined 2019</span><span>Messages 12${i}</span></div>
      <div class="message-content"><time>May ${i + 1}, 2024</time><div class="message-body"><p>Mine squealed as well on ride ${i}, until I cleaned the disc with alcohol and sanded the pads a little.</p><p>After ${i + 2} rides it was quiet again, so try that before you buy new pads.</p></div><a href="#">Reply</a> <a href="#">Quote</a></div></article>`,
    )}</div>`,
  ),
  wanted: ['squealed as well on ride 0', 'squealed as well on ride 6'],
  unwanted: ['Privacy policy', 'Terms of use'],
};

const card = (i: number) =>
  `<li class="product-card"><a href="/products/lamp-${i}"><img src="${i}.jpg" alt=""><h3>Desk lamp model ${i}</h3></a><p class="price">$${20 + i}.00</p><button>Add to cart</button></li>`;

const collection: FixturePage = {
  type: 'collection',
  url: 'https://shop.example.com/collections/desk-lamps',
  html: frame(
    'Desk lamps - Example shop',
    '<script type="application/ld+json">{"@type":"CollectionPage"}</script>',
    `<main><h1>Desk lamps</h1><p>Lamps for reading and working, with warm and cold light, all with a two year guarantee.</p>
    <div class="filters"><label>Colour</label><label>Price</label></div><ul class="product-grid">${repeat(24, card)}</ul></main>`,
  ),
  wanted: ['Desk lamp model 3', 'Desk lamp model 20'],
  unwanted: ['Privacy policy', 'All rights reserved'],
};

const listing: FixturePage = {
  type: 'listing',
  url: 'https://jobs.example.org/category/engineering',
  html: frame(
    'Engineering jobs - Example jobs',
    '<meta property="og:type" content="website">',
    `<main><h1>Engineering jobs</h1><ul class="listing">${repeat(
      20,
      (i) =>
        `<li class="listing-item"><h2><a href="/jobs/${i}">Engineer for plant number ${i}</a></h2><span>Town ${i}</span> <time>${i + 1} days ago</time><p>We look for somebody who keeps plant number ${i} running.</p></li>`,
    )}</ul><nav class="pagination"><a href="?page=2">2</a> <a href="?page=3">3</a> <a href="?page=2">Next</a></nav></main>`,
  ),
  wanted: ['Engineer for plant number 3', 'keeps plant number 18 running'],
  unwanted: ['Privacy policy', 'All rights reserved'],
};

const product: FixturePage = {
  type: 'product',
  url: 'https://shop.example.com/products/oak-desk-lamp',
  html: frame(
    'Oak desk lamp - buy at Example shop',
    '<meta property="og:type" content="product"><script type="application/ld+json">{"@type":"Product","name":"Oak desk lamp","offers":{"@type":"Offer","price":"59.00"}}</script>',
    `<main class="product"><div class="product-info"><h1>Oak desk lamp</h1><p class="price">$59.00</p><p>In stock</p><button>Add to cart</button>
    <div class="product-description"><p>Turned from one piece of oak, with a brass joint that holds the arm in every position and a cord of woven cotton.</p><ul><li>Height 45 cm</li><li>Bulb E14, not included</li><li>Two year guarantee</li></ul></div></div></main>
    <section class="recommendations"><h2>You may also like</h2><ul>${repeat(4, card)}</ul></section>`,
  ),
  wanted: ['Turned from one piece of oak', 'Height 45 cm'],
  unwanted: ['Privacy policy', 'All rights reserved'],
};

/** One page per type. */
export const FIXTURE_PAGES: readonly FixturePage[] = [article, documentation, service, forum, collection, listing, product];
