import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { readPageText } from '../product/page-text.ts';
import type { StatedAvailability } from './availability.ts';
import { decideAvailabilityAlert, readAvailability } from './availability.ts';
import { stateOfTerm } from './state.ts';

const read = (body: string, stated: readonly StatedAvailability[] = []) =>
  readAvailability(readPageText(parseTree(body, 'https://shop.test/p')), stated);
const jsonld = (term: string): StatedAvailability => ({ source: 'jsonld', term });

describe('stateOfTerm', () => {
  const terms: readonly (readonly [term: string, state: string | undefined])[] = [
    ['https://schema.org/InStock', 'in_stock'],
    ['http://schema.org/InStoreOnly', 'in_stock'],
    ['instock', 'in_stock'],
    ['in stock', 'in_stock'],
    ['https://schema.org/PreOrder', 'preorder'],
    ['https://schema.org/BackOrder', 'backorder'],
    ['https://schema.org/SoldOut', 'out_of_stock'],
    ['schema:OutOfStock', 'out_of_stock'],
    ['oos', 'out_of_stock'],
    ['https://schema.org/Discontinued', 'discontinued'],
    ['https://schema.org/MadeToOrder', 'made_to_order'],
    ['https://schema.org/LimitedAvailability', 'limited'],
    ['perhaps', undefined],
    ['constructor', undefined],
  ];
  for (const [term, state] of terms) it(`reads ${term} as ${state}`, () => assert.equal(stateOfTerm(term), state));
});

describe('readAvailability', () => {
  it('reads a statement under the heading and ignores a button of the header', () => {
    const found = read('<header><button>Add to cart</button></header><main><h1>Lamp</h1><p>Out of stock</p></main>');
    assert.deepEqual(found, {
      state: 'out_of_stock',
      evidence: [{ source: 'text', state: 'out_of_stock', phrase: 'Out of stock' }],
      conflict: false,
      quantity: undefined,
    });
  });

  it('lets a plain statement overrule data and says that they differ', () => {
    const found = read('<h1>Lamp</h1><p>Sold out</p>', [jsonld('https://schema.org/InStock')]);
    assert.deepEqual([found.state, found.conflict], ['out_of_stock', true]);
    assert.deepEqual(
      found.evidence.map(({ source, state }) => [source, state]),
      [
        ['text', 'out_of_stock'],
        ['jsonld', 'in_stock'],
      ],
    );
  });

  it('answers unknown for a page that says nothing', () => {
    for (const body of ['<h1>403 Forbidden</h1><p>You have no access.</p>', '', '<h1>Lamp</h1><p>A fine lamp.</p>']) {
      assert.deepEqual(read(body), { state: 'unknown', evidence: [], conflict: false, quantity: undefined });
    }
  });

  it('ignores what related products say', () => {
    const item = '<li class="card"><a href="/x">Other</a><b>Sold out</b></li>';
    const found = read(
      `<h1>Lamp</h1><button>Add to cart</button><section class="related-products"><p>Sold out</p><ul>${item.repeat(4)}</ul></section>`,
    );
    assert.equal(found.state, 'in_stock');
  });

  it('does not take the buttons of a list for that of the product', () => {
    const item = '<li class="card"><a href="/x">Other</a><button class="add-to-cart">Add to cart</button></li>';
    assert.equal(read(`<h1>Lamp</h1><p>Sold out</p><ul>${item.repeat(4)}</ul>`).state, 'out_of_stock');
  });

  it('ignores a hidden text for the other case', () => {
    assert.equal(
      read('<h1>Lamp</h1><p hidden>Sold out</p><p style="display: none">Sold out</p><button>Add to cart</button>').state,
      'in_stock',
    );
    assert.equal(read('<h1>Lamp</h1><button>Add to cart</button><p>Sold out</p>', [jsonld('InStock')]).state, 'in_stock');
  });

  it('ignores a disabled button', () => {
    assert.equal(read('<h1>Lamp</h1><button class="add-to-cart" disabled>Add to cart</button>').state, 'unknown');
  });

  it('reads a disabled button that says so itself', () => {
    assert.equal(read('<h1>Lamp</h1><button class="add-to-cart" disabled>Sold out</button>').state, 'out_of_stock');
  });

  it('knows a buy button by its name in any language', () => {
    assert.equal(read('<h1>Lampa</h1><a href="#" class="btn add-to-cart"><i></i></a>').state, 'in_stock');
    assert.equal(read('<h1>Lampa</h1><input type="submit" value="Dodaj do koszyka">').state, 'in_stock');
  });

  it('says nothing of one label among several of the same button', () => {
    const found = read('<h1>Lamp</h1><a class="add-to-cart" href="#"><span>Add</span> <span>Sold out</span></a>');
    assert.equal(found.state, 'in_stock');
  });

  it('takes one variant in stock for the product, and all out for the contrary', () => {
    const select = (...texts: readonly string[]) =>
      `<h1>Shoe</h1><select>${texts.map((text) => `<option>${text}</option>`).join('')}</select>`;
    assert.equal(read(select('40 - sold out', '41 - in stock')).state, 'in_stock');
    assert.equal(read(select('40 - sold out', '41 - sold out')).state, 'out_of_stock');
  });

  it('prefers an offer that can be bought among the stated ones', () => {
    assert.equal(read('', [jsonld('OutOfStock'), jsonld('LimitedAvailability')]).state, 'limited');
  });

  it('refines data by the number that is left', () => {
    const found = read('<h1>Lamp</h1><p>Only 5 left</p>', [jsonld('InStock')]);
    assert.deepEqual([found.state, found.quantity, found.conflict], ['limited', 5, false]);
  });

  it('reads a labelled status', () => {
    assert.equal(read('<h1>Lampe</h1><p>Verfügbarkeit: <b>derzeit nicht verfügbar</b></p>').state, 'out_of_stock');
    assert.equal(read('<h1>Svetilka</h1><li><b>Razpoložljivost:</b> Dobavljivo</li>').state, 'in_stock');
  });
});

describe('decideAvailabilityAlert', () => {
  it('speaks up on a restock only, where asked to', () => {
    assert.equal(decideAvailabilityAlert('out_of_stock', 'in_stock', 'in_stock_only'), true);
    assert.equal(decideAvailabilityAlert('in_stock', 'out_of_stock', 'in_stock_only'), false);
    assert.equal(decideAvailabilityAlert('in_stock', 'limited', 'in_stock_only'), false);
  });

  it('speaks up on any change, never on a first check or an unknown state', () => {
    assert.equal(decideAvailabilityAlert('in_stock', 'out_of_stock', 'any_change'), true);
    assert.equal(decideAvailabilityAlert('in_stock', 'in_stock', 'any_change'), false);
    assert.equal(decideAvailabilityAlert(undefined, 'in_stock', 'any_change'), false);
    assert.equal(decideAvailabilityAlert('in_stock', 'unknown', 'any_change'), false);
  });
});
