import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { readStructuredData } from '../structured/structured.ts';
import type { Product } from './product.ts';
import { readProduct } from './product.ts';

function read(body: string, head = '<title>Kenya AA</title>'): Product | undefined {
  const tree = parseTree(`<html lang="en">${head}<body>${body}`, 'https://shop.test/product/kenya-aa/');
  return readProduct(tree, readStructuredData(tree));
}

/** A page as widespread shop programs write it: no blank between inline elements. */
const page = (price: string, more = '') =>
  `<main><div class="summary entry-summary"><h1 class="product_title">Kenya AA</h1><p class="price">${price}</p>${more}
  <form class="cart" method="post"><input name="quantity" value="1"><button type="submit" name="add-to-cart">Add to cart</button></form></div></main>`;
const meta = (sku: string) =>
  `<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">${sku}</span></span><span class="posted_in">Category: <a href="/c">Coffee</a></span></div>`;
const data = (members: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Kenya AA', ...members })}</script>`;

describe('article numbers between inline elements', () => {
  it('end where their element ends', () => assert.equal(read(page('$12.00', meta('SKU-1001')))?.sku, 'SKU-1001'));

  it('are those that data states', () =>
    assert.equal(read(page('$12.00', meta('SKU-1001')) + data({ sku: 'SKU-1001', offers: { price: 12 } }))?.sku, 'SKU-1001'));

  it('begin where their label ends', () =>
    assert.equal(
      read(page('$12.00', '<div><span class="label">Article Number</span><span class="id">802.758.87</span></div>'))?.sku,
      '802.758.87',
    ));
});

describe('prices of a sale', () => {
  const cases: readonly (readonly [promise: string, html: string, amount: string])[] = [
    ['inserted behind deleted', page('<del><span>$20.00</span></del><ins><span>$15.00</span></ins>'), '15.00'],
    [
      'with words for screen readers',
      page(
        '<del>$20.00</del><span class="sr">Original price was: $20.00.</span><ins>$15.00</ins><span class="sr">Current price is: $15.00.</span>',
      ),
      '15.00',
    ],
    ['with the sign behind', page('<del>20,00 €</del><span class="sr">UVP: 20,00 €.</span><ins>15,00 €</ins>'), '15.00'],
    ['in blanks between groups', page('<span>7 611 Kč</span><span class="original-price">15 222 Kč</span>'), '7611.00'],
    ['struck by a class', page('<span class="line-through">£20.00</span><span>£15.00</span>'), '15.00'],
    ['beside what is saved', page('<s>$20.00</s><b>$15.00</b>', '<p>You save: $5.00 (25%)</p>'), '15.00'],
  ];
  for (const [promise, html, amount] of cases) it(`are read ${promise}`, () => assert.equal(read(html)?.price?.amount, amount));
});

describe('amounts that are no price of the product', () => {
  const cases: readonly (readonly [promise: string, html: string])[] = [
    ['a price per kilogram', page('$15.00', '<p>$30.00 / kg</p>')],
    ['instalments', page('$15.00', '<p>or 4 interest-free payments of $3.75</p>')],
    ['a threshold of delivery', `<p>Free shipping on orders over $75.00</p>${page('$15.00')}`],
    ['an empty basket', `<header><a class="cart">$0.00</a></header>${page('$15.00')}`],
  ];
  for (const [promise, html] of cases) it(`are ${promise}`, () => assert.equal(read(html)?.price?.amount, '15.00'));
});

it('gives both ends of a range that the page shows', () => {
  const product = read(page('<span>$10.00</span> – <span>$20.00</span>'));
  assert.deepEqual([product?.priceRange?.low.amount, product?.priceRange?.high.amount], ['10.00', '20.00']);
});

it('sees no product on a page that lists products', () => {
  const item = (i: number) =>
    `<li class="product"><a href="/product/${i}"><h2>Coffee ${i}</h2><span class="price">$1${i}.00</span></a><a href="?add-to-cart=${i}" class="button add_to_cart_button">Add to cart</a></li>`;
  const list = `<h1 class="page-title">Shop</h1><p>Showing all 9 results</p><ul class="products">${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(item).join('')}</ul>`;
  assert.equal(read(list, '<title>Shop</title>'), undefined);
});

describe('availability without a word of it', () => {
  const bare = (more: string) => `<main><h1>Kenya AA</h1><p class="price">$15.00</p>${more}</main>`;

  it('is unknown for a product with its price alone', () => {
    const product = read(bare(''));
    assert.equal(product?.price?.raw, '$15.00');
    assert.deepEqual([product?.availability.state, product?.availability.evidence], ['unknown', []]);
  });

  it('is unknown beside a buy button that cannot be pressed', () =>
    assert.equal(read(bare('<button class="add-to-cart" disabled>Choose a size</button>'))?.availability.state, 'unknown'));
});
