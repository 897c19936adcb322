import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { readStructuredData } from '../structured/structured.ts';
import type { Product } from './product.ts';
import { readProduct } from './product.ts';

function read(html: string, url = 'https://shop.test/lamp'): Product | undefined {
  const tree = parseTree(html, url);
  return readProduct(tree, readStructuredData(tree));
}

const ld = (value: unknown, type = 'application/ld+json') =>
  `<script type="${type}">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`;
const offer = (price: unknown, availability = 'https://schema.org/InStock') => ({
  '@type': 'Offer',
  price,
  priceCurrency: 'EUR',
  availability,
});
const lamp = (offers: unknown, more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Lamp',
  offers,
  ...more,
});
const H1 = '<h1>Lamp</h1>';

/** Amount, currency, state, as one line. */
const line = (product: Product | undefined) =>
  `${product?.price?.amount ?? '-'} ${product?.price?.currency ?? '-'} ${product?.availability.state ?? '-'}`;

describe('stated prices', () => {
  const cases: readonly (readonly [promise: string, html: string, line: string])[] = [
    ['an offer', ld(lamp(offer(121.95))), '121.95 EUR in_stock'],
    [
      'types in a list and members in capitals',
      ld({ '@type': ['Thing', 'Product'], name: 'Lamp', Offers: offer('121.95') }),
      '121.95 EUR in_stock',
    ],
    [
      'a price specification',
      ld(lamp({ '@type': 'Offer', priceSpecification: { price: 121.95, priceCurrency: 'EUR' } })),
      '121.95 EUR unknown',
    ],
    [
      'the current one of several price specifications',
      ld(
        lamp({
          priceSpecification: [
            { priceType: 'https://schema.org/ListPrice', price: 200, priceCurrency: 'EUR' },
            { price: 121.95, priceCurrency: 'EUR' },
          ],
        }),
      ),
      '121.95 EUR unknown',
    ],
    ['offers as a list of one', ld(lamp([offer(121.95)])), '121.95 EUR in_stock'],
    ['a block behind others, with a bare term', ld({ '@type': 'WebSite' }) + ld(lamp(offer(5, 'OutOfStock'))), '5.00 EUR out_of_stock'],
    ['the comma of a string', ld(lamp(offer('1.299,00'))), '1299.00 EUR in_stock'],
    ['cents behind a comma', ld(lamp(offer('19,99'))), '19.99 EUR in_stock'],
    ['a string with its currency', ld(lamp({ price: '1 099,00 EUR' })), '1099.00 EUR unknown'],
    ['groups of a currency without cents', ld(lamp({ price: '12,800', priceCurrency: 'JPY' })), '12800 JPY unknown'],
    ['the point of a number', ld(lamp(offer(19.5))), '19.50 EUR in_stock'],
    ['a graph', ld({ '@graph': [{ '@type': 'WebPage' }, lamp(offer(5))] }), '5.00 EUR in_stock'],
    ['a trailing comma', ld('{"@type":"Product","name":"Lamp","offers":{"price":"5","priceCurrency":"EUR",},}'), '5.00 EUR unknown'],
    ['a comment', ld('{"@type":"Product",/* x */"name":"Lamp","offers":{"price":5,"priceCurrency":"EUR"}}'), '5.00 EUR unknown'],
    ['a charset in the type', ld(lamp(offer(5)), 'application/ld+json; charset=utf-8'), '5.00 EUR in_stock'],
    ['the product of an item page', ld({ '@type': 'ItemPage', mainEntity: lamp(offer(5)) }), '5.00 EUR in_stock'],
    ['an offer that names its product', ld({ ...offer(5), itemOffered: { '@type': 'Product', name: 'Lamp' } }), '5.00 EUR in_stock'],
    ['anything else that is offered', ld({ '@type': 'Book', name: 'Lamp', offers: offer(5) }), '5.00 EUR in_stock'],
    [
      'microdata',
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1><p itemprop="offers" itemscope><b itemprop="price">$121.95</b><link itemprop="availability" href="https://schema.org/InStock"></p></div>',
      '121.95 USD in_stock',
    ],
    [
      'microdata that is written for people',
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1><p itemprop="offers" itemscope><meta itemprop="priceCurrency" content="EUR"><b itemprop="price" content="1.299,00">x</b></p></div>',
      '1299.00 EUR unknown',
    ],
    [
      'RDFa Lite',
      '<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Lamp</h1><p property="offers" typeof="Offer"><b property="price" content="7.5">7,50</b><i property="priceCurrency" content="EUR"></i></p></div>',
      '7.50 EUR unknown',
    ],
    [
      'OpenGraph alone',
      '<meta property="product:price:amount" content="1.299,00"><meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock">',
      '1299.00 EUR in_stock',
    ],
    [
      'the sale price of OpenGraph',
      '<meta property="product:price:amount" content="20"><meta property="product:sale_price:amount" content="15"><meta property="product:price:currency" content="EUR">',
      '15.00 EUR unknown',
    ],
  ];
  for (const [promise, html, expected] of cases) it(`reads ${promise}`, () => assert.equal(line(read(html)), expected));

  const states = ['PreOrder', 'BackOrder', 'SoldOut', 'Discontinued', 'MadeToOrder', 'LimitedAvailability'];
  it('keeps six states apart', () => {
    const read_ = states.map((term) => read(ld(lamp(offer(5, `https://schema.org/${term}`))))?.availability.state);
    assert.deepEqual(read_, ['preorder', 'backorder', 'out_of_stock', 'discontinued', 'made_to_order', 'limited']);
  });

  it('gives the low price and the range of an aggregate offer', () => {
    const product = read(
      ld(lamp({ '@type': 'AggregateOffer', lowPrice: 10, highPrice: 20, priceCurrency: 'EUR', offers: [offer(10), offer(20)] })),
    );
    assert.deepEqual(
      [product?.price?.amount, product?.priceRange?.low.amount, product?.priceRange?.high.amount],
      ['10.00', '10.00', '20.00'],
    );
    assert.deepEqual(product?.ambiguous, []);
  });

  it('says where each value was read', () => {
    const product = read(ld(lamp(offer(121.95), { sku: 'L-1' })));
    assert.deepEqual(product?.evidence, [
      { field: 'name', source: 'jsonld', raw: 'Lamp' },
      { field: 'price', source: 'jsonld', raw: '121.95' },
      { field: 'sku', source: 'jsonld', raw: 'L-1' },
    ]);
  });

  it('takes a free product for a price of 0', () => {
    assert.equal(read(H1 + ld(lamp(offer(0))))?.price?.amountMinor, 0);
    assert.equal(read(H1 + ld(lamp(offer('Free'))))?.price?.amountMinor, 0);
  });
});

describe('the main product', () => {
  it('is the one whose name is the heading, not the first', () => {
    const related = { ...lamp(offer(99, 'OutOfStock')), name: 'Chair' };
    assert.equal(line(read(ld(related) + ld(lamp(offer(5))) + H1)), '5.00 EUR in_stock');
  });

  it('is the one whose address is canonical', () => {
    const related = { ...lamp(offer(99)), url: '/other' };
    const html = `<link rel="canonical" href="https://shop.test/lamp">${ld(related)}${ld(lamp(offer(5), { url: 'https://shop.test/lamp' }))}`;
    assert.equal(read(html, 'https://shop.test/lamp?utm=x')?.price?.amount, '5.00');
  });

  it('leaves products out that are only related', () => {
    const html = ld(lamp(offer(5), { isRelatedTo: { ...lamp(offer(99)), name: 'Chair' } }));
    assert.equal(read(html)?.price?.amount, '5.00');
  });

  it('is none of a list of products', () => {
    const list = ['Chair', 'Table', 'Sofa', 'Bed'].map((name) => ({ ...lamp(offer(99)), name }));
    assert.equal(read(`<h1>Furniture</h1>${ld(list)}`)?.price, undefined);
  });

  it('is absent from a page without product', () => {
    for (const html of ['', '<h1>403 Forbidden</h1>', '<h1>About us</h1><p>Since 1999.</p>']) assert.equal(read(html), undefined);
  });

  it('is absent from articles and manuals that speak of prices and of what is available', () => {
    const article =
      '<meta property="og:type" content="article"><h1>Lamps tested</h1><p>The lamp costs $99.</p><p>Available in all shops.</p>';
    assert.equal(read(article), undefined);
    assert.equal(read('<h1>Manual</h1><h2>Available commands</h2><p>An option is available.</p>'), undefined);
  });

  it('is found on a page of 50,000 nested elements', () => {
    assert.equal(read(`${H1}<p>5 €</p><button>Buy</button>${'<div>'.repeat(50_000)}`)?.price?.amount, '5.00');
  });

  it('is found on a page that a script reveals', () => {
    assert.equal(read(`<body style="display:none"><div hidden>${H1}<p>5 €</p><button>Buy</button></div></body>`)?.price?.amount, '5.00');
  });

  it('is an offer that stands alone, or properties outside every item', () => {
    const alone = '<div itemscope itemtype="https://schema.org/Offer"><b itemprop="price">5 €</b></div>';
    assert.equal(read(alone)?.price?.amount, '5.00');
    const loose =
      '<h1>Lamp</h1><meta itemprop="price" content="5"><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/PreOrder">';
    assert.equal(line(read(loose)), '5.00 EUR preorder');
  });

  it('has its name without entities, else that of the heading, else the title', () => {
    assert.equal(read(ld(lamp(offer(5), { name: 'Lamp &amp; shade' })))?.name, 'Lamp & shade');
    assert.equal(read('<title>Lamp | Shop</title><h1>Lamp</h1><p>5 €</p><button>Buy</button>')?.name, 'Lamp');
    assert.equal(read('<title>Lamp</title><h1>Free delivery today</h1><p>5 €</p><button>Buy</button>')?.name, 'Lamp');
  });
});

describe('variants', () => {
  const variants = [lamp(offer(10, 'OutOfStock'), { sku: '10' }), lamp(offer(20), { sku: '20' })];

  it('are chosen by the address', () => {
    assert.equal(line(read(ld(variants), 'https://shop.test/lamp?sku=20')), '20.00 EUR in_stock');
    assert.equal(line(read(ld(variants), 'https://shop.test/lamp?sku=10')), '10.00 EUR out_of_stock');
  });

  it('are chosen by the canonical address', () => {
    const html = `<link rel="canonical" href="/lamp/20">${ld(variants)}`;
    assert.equal(read(html)?.price?.amount, '20.00');
  });

  it('are chosen within a product group', () => {
    const group = { '@type': 'ProductGroup', name: 'Lamp', hasVariant: variants };
    assert.equal(line(read(ld(group), 'https://shop.test/lamp#20')), '20.00 EUR in_stock');
  });

  it('are listed where nothing chooses', () => {
    const product = read(ld(variants));
    assert.equal(product?.price, undefined);
    assert.deepEqual(
      product?.ambiguous.map(({ sku, price, availability }) => [sku, price?.amount, availability]),
      [
        ['10', '10.00', 'OutOfStock'],
        ['20', '20.00', 'https://schema.org/InStock'],
      ],
    );
    assert.deepEqual([product?.priceRange?.low.amount, product?.priceRange?.high.amount], ['10.00', '20.00']);
  });

  it('are chosen by the price that the page shows', () => {
    const product = read(`${H1}<p class="price">20,00 €</p>${ld(variants)}`);
    assert.deepEqual([product?.price?.amount, product?.ambiguous], ['20.00', []]);
  });

  it('are no question where they cost the same', () => {
    const product = read(ld([lamp(offer(10), { sku: 'a1' }), lamp(offer(10), { sku: 'a2' })]));
    assert.deepEqual([product?.price?.amount, product?.ambiguous], ['10.00', []]);
  });
});

describe('shown prices', () => {
  const buy = '<button>Add to cart</button>';
  const cases: readonly (readonly [promise: string, html: string, amount: string | undefined])[] = [
    ['the price under the heading', `${H1}<p>19,99 €</p>${buy}`, '19.99'],
    ['not the struck one', `${H1}<p><del>29,99 €</del> <b>19,99 €</b></p>${buy}`, '19.99'],
    [
      'not the one that style strikes',
      `${H1}<p><span style="text-decoration: line-through">29,99 €</span><span>19,99 €</span></p>${buy}`,
      '19.99',
    ],
    [
      'not the one that a class calls old',
      `${H1}<p><span class="price-old">29,99 €</span> <span class="price-new">19,99 €</span></p>${buy}`,
      '19.99',
    ],
    ['not the one that words call former', `${H1}<p>RRP 29,99 €</p><p>19,99 €</p>${buy}`, '19.99'],
    ['the reduced one where a share fits the pair', `${H1}<p>200,00 € -50%</p><p>100,00 €</p>${buy}`, '100.00'],
    ['cents in an element of their own', `${H1}<p class="price"><span>19</span><sup>99</sup> €</p>${buy}`, '19.99'],
    ['cents behind the sign', `${H1}<p>19€<sup>99</sup></p>${buy}`, '19.99'],
    ['not the costs of delivery', `${H1}<p>Shipping: 4,99 €</p><p>19,99 €</p>${buy}`, '19.99'],
    ['not a monthly rate', `${H1}<p>1,99 € / month</p><p>19,99 €</p>${buy}`, '19.99'],
    ['not the price of a measure', `${H1}<p>$1.99 / oz</p><p>$19.99</p>${buy}`, '19.99'],
    ['not a price without tax', `${H1}<p>19,99 €</p><p>excl. VAT 16,80 €</p>${buy}`, '19.99'],
    ['not a saving', `${H1}<p>$79.99</p><p>$40.00 off</p>${buy}`, '79.99'],
    ['not the basket in the header', `<header>Cart 99,00 €</header>${H1}<p>19,99 €</p>${buy}`, '19.99'],
    ['a number that only its class calls a price', `${H1}<p class="product-price">2,320</p>${buy}`, '2320.00'],
    [
      'not the prices of a carousel',
      `${H1}<div class="row">${'<div class="card"><a href="/x">Chair</a><p>5,00 €</p></div>'.repeat(4)}</div><p class="price">19,99 €</p>${buy}`,
      '19.99',
    ],
    [
      'none of a page that only links to products',
      `<h1>Chairs</h1><ul>${'<li><a href="/x">Chair</a><p>5,00 €</p></li>'.repeat(8)}</ul>`,
      undefined,
    ],
  ];
  for (const [promise, html, amount] of cases) it(`reads ${promise}`, () => assert.equal(read(html)?.price?.amount, amount));

  it('overrule a stated price that the page shows struck', () => {
    assert.equal(
      read(`${H1}<p class="price"><del>200,00 €</del> <b>100,00 €</b></p>${buy}${ld(lamp(offer(200)))}`)?.price?.amount,
      '100.00',
    );
  });

  it('take a shared sign from the domain', () => {
    assert.equal(read(`${H1}<p>$20</p>${buy}`, 'https://shop.ca/lamp')?.price?.currency, 'CAD');
  });
});

describe('article numbers', () => {
  const page = (html: string, url?: string) => read(`<h1>Lamp</h1>${html}<p>5 €</p><button>Buy</button>`, url)?.sku;
  const labels: readonly (readonly [html: string, sku: string])[] = [
    ['<p>SKU: AB-1234</p>', 'AB-1234'],
    ['<p>Item No. 12345</p>', '12345'],
    ['<p>Item # 12345</p>', '12345'],
    ['<p>Art.-Nr.: 12 345</p>', '12 345'],
    ['<p>Artikelnummer: A12.345/6</p>', 'A12.345/6'],
    ['<p>Bestell-Nr. 4711-08</p>', '4711-08'],
    ['<p>Réf. : X-991</p>', 'X-991'],
    ['<p>Référence produit : 3410048</p>', '3410048'],
    ['<p>Codice articolo: 77A1</p>', '77A1'],
    ['<p>Cód. 88123</p>', '88123'],
    ['<p>Referencia: R5512</p>', 'R5512'],
    ['<p>Kod produktu: KP-55</p>', 'KP-55'],
    ['<p>Katalogové číslo: 99182</p>', '99182'],
    ['<p>Cikkszám: C-4410</p>', 'C-4410'],
    ['<p>Šifra: 0638</p>', '0638'],
    ['<p>Артикул: 55-712</p>', '55-712'],
    ['<p>Код товара: 01245</p>', '01245'],
    ['<p>商品番号：ab-123</p>', 'ab-123'],
    ['<p>〈商品編號：M6729〉</p>', 'M6729'],
    ['<dl><dt>Model</dt><dd>YLKS32</dd></dl>', 'YLKS32'],
    ['<table><tr><th>Product code</th><td>PC 1</td></tr><tr><th>MPN</th><td>M-200X</td></tr></table>', 'M-200X'],
    ['<table><tr><th>SKU</th><td>S-100</td></tr><tr><th>MPN</th><td>M-200X</td></tr></table>', 'S-100'],
  ];
  for (const [html, sku] of labels) it(`reads ${sku} in ${html}`, () => assert.equal(page(html), sku));

  it('are read inside the heading', () => {
    assert.equal(read('<h1>Phone X <small>Code: 01245</small></h1><p>5 €</p><button>Buy</button>')?.sku, '01245');
  });

  it('are taken from the address where the page shows the same digits', () => {
    assert.equal(page('<p>Black - 1002/710</p>', 'https://shop.test/boots-p11002710.html'), '1002/710');
    assert.equal(
      page('<form><input type="hidden" name="item" value="B07FW264WL"></form>', 'https://shop.test/dp/B07FW264WL'),
      'B07FW264WL',
    );
  });

  it('stand at the end of the address where the page says none', () => {
    assert.equal(page('', 'https://shop.test/lamps/a-red-lamp-1609583.html'), '1609583');
    assert.equal(page('<p>SKU: AB-1234</p>', 'https://shop.test/lamps/a-red-lamp-1609583.html'), 'AB-1234');
    assert.equal(page('', 'https://shop.test/2024/lamps-12.html'), undefined);
  });

  it('are no dates, prices, measures or trade item numbers', () => {
    for (const html of ['<p>Ref. 12.05.2024</p>', '<p>Item no. 5 €</p>', '<p>Model: Classic</p>', '<p>EAN: 4006381333931</p>'])
      assert.equal(page(html), undefined);
  });

  it('come from data unless the page plainly shows another', () => {
    const stated = ld(lamp(offer(5), { sku: 'HIDDEN-1' }));
    assert.equal(page(stated), 'HIDDEN-1');
    assert.equal(page(`${stated}<p>Model: MX 5</p>`), 'HIDDEN-1');
    assert.equal(page(`${stated}<p>SKU: SHOWN-1</p>`), 'SHOWN-1');
  });
});

describe('availability of the product', () => {
  it('is unknown on a refusal, and there is no product', () => {
    assert.equal(read('<title>403 Forbidden</title><h1>403 Forbidden</h1>'), undefined);
  });

  it('overrules data by a plain text and keeps both', () => {
    const product = read(`${H1}<p>Sold out</p>${ld(lamp(offer(5)))}`);
    assert.deepEqual(
      [product?.availability.state, product?.availability.conflict, product?.availability.evidence.length],
      ['out_of_stock', true, 2],
    );
  });

  it('counts what is left', () => {
    const quantities = [5, 2].map((left) => read(`${H1}<p>Only ${left} left</p>${ld(lamp(offer(5)))}`)?.availability.quantity);
    assert.deepEqual(quantities, [5, 2]);
  });
});
