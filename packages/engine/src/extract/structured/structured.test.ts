import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { memberOf, typesOf } from './json-ld.ts';
import { readStructuredData } from './structured.ts';

const read = (html: string, url = 'https://shop.test/p/1') => readStructuredData(parseTree(html, url));
const block = (json: string, type = 'application/ld+json') => `<script type="${type}">${json}</script>`;

describe('JSON-LD', () => {
  it('lays @graph and arrays flat in document order', () => {
    const html =
      block('{"@context":"https://schema.org","@graph":[{"@type":"WebSite"},{"@type":"Product"}]}') +
      block('[{"@type":"A"},[{"@type":"B"}]]');
    assert.deepEqual(read(html).jsonLd.map(typesOf), [['website'], ['product'], ['a'], ['b']]);
  });

  it('accepts parameters and capitals in the type', () => {
    assert.equal(read(block('{"a":1}', 'application/ld+json; charset=utf-8') + block('{"b":1}', 'Application/LD+JSON')).jsonLd.length, 2);
    assert.equal(read(block('{"a":1}', 'text/javascript')).jsonLd.length, 0);
  });

  it('reads blocks with commas, comments and wrappers that JSON forbids', () => {
    const blocks = [
      '{"@type":"A",}',
      '<!--{"@type":"B"}-->',
      '/*<![CDATA[*/{"@type":"C"}/*]]>*/',
      '{"@type":"D"}{"@type":"E"}',
      '{&quot;@type&quot;:&quot;F&quot;}',
    ];
    assert.deepEqual(read(blocks.map((json) => block(json)).join('')).jsonLd.flatMap(typesOf), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('leaves a broken block out and keeps the others', () => {
    assert.equal(read(block('{"@type":') + block('{"@type":"A"}')).jsonLd.length, 1);
  });

  it('compares types and members whatever their prefix and case', () => {
    const [node] = read(block('{"@type":["http://schema.org/Product","schema:Thing"],"Offers":{"x":1},"schema:name":"n"}')).jsonLd;
    assert.ok(node);
    assert.deepEqual(typesOf(node), ['product', 'thing']);
    assert.deepEqual([memberOf(node, 'offers'), memberOf(node, 'name')], [{ x: 1 }, 'n']);
  });
});

describe('microdata', () => {
  const values = (html: string) => read(`<div itemscope>${html}</div>`).microdata[0]?.properties;

  it('nests items and keeps repeated values in order', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">A  lamp</b>
      <i itemprop="offers" itemscope itemtype="https://schema.org/Offer"><u itemprop="price" content="19.99">20</u></i>
      <i itemprop="color">red</i><i itemprop="color">blue</i></div>`;
    assert.deepEqual(read(html).microdata, [
      {
        types: ['https://schema.org/Product'],
        properties: Object.assign(Object.create(null), {
          name: ['A lamp'],
          offers: [{ types: ['https://schema.org/Offer'], properties: Object.assign(Object.create(null), { price: ['19.99'] }) }],
          color: ['red', 'blue'],
        }),
      },
    ]);
  });

  const cases: readonly (readonly [promise: string, html: string, value: string])[] = [
    ['the content of a meta element', '<meta itemprop="v" content=" a  b ">', 'a b'],
    ['the content attribute of any element', '<span itemprop="v" content="1.5">1,50 €</span>', '1.5'],
    ['an absolute address of a link', '<a itemprop="v" href="/x">y</a>', 'https://shop.test/x'],
    ['an absolute address of a picture', '<img itemprop="v" src="x.png">', 'https://shop.test/p/x.png'],
    ['the value of data', '<data itemprop="v" value="7">seven</data>', '7'],
    ['the datetime of time', '<time itemprop="v" datetime="2026-01-02">yesterday</time>', '2026-01-02'],
    ['text without scripts', '<p itemprop="v">a<script>b</script> <b>c</b></p>', 'a c'],
  ];
  for (const [promise, html, value] of cases) it(`reads ${promise}`, () => assert.deepEqual(values(html)?.['v'], [value]));

  it('follows itemref and survives its cycles', () => {
    const html = '<div itemscope itemref="a"></div><div id="a"><i itemprop="v">1</i><i itemprop="w" itemscope itemref="a"></i></div>';
    assert.deepEqual(read(html).microdata[0]?.properties['v'], ['1']);
  });
});

describe('RDFa Lite', () => {
  it('expands types and properties by vocab and prefix', () => {
    const html = `<div vocab="https://schema.org/" typeof="Product" resource="#p" prefix="x: http://x.test/ns#"><b property="name">Lamp</b>
      <i property="offers" typeof="Offer"><u property="price" content="5">5 €</u></i><a property="x:link" href="/y">z</a></div>`;
    const [item] = read(html).rdfaLite;
    assert.deepEqual([item?.types, item?.id], [['https://schema.org/Product'], 'https://shop.test/p/1#p']);
    assert.deepEqual(item?.properties['https://schema.org/name'], ['Lamp']);
    assert.deepEqual(item?.properties['http://x.test/ns#link'], ['https://shop.test/y']);
    const offer = item?.properties['https://schema.org/offers']?.[0];
    assert.deepEqual(typeof offer === 'object' && offer.properties['https://schema.org/price'], ['5']);
  });
});

describe('OpenGraph', () => {
  it('keeps all values of a property, also of one written as a name', () => {
    const html =
      '<meta property="og:image" content="a"><meta property="OG:image" content="b"><meta name="product:price:amount" content="5"><meta name="viewport" content="x">';
    assert.deepEqual({ ...read(html).openGraph }, { 'og:image': ['a', 'b'], 'product:price:amount': ['5'] });
  });
});

describe('states', () => {
  const states = (html: string) => read(html).states;

  it('reads data scripts by their id', () => {
    assert.deepEqual(states('<script id="__NEXT_DATA__" type="application/json">{"a":1}</script>'), [
      { name: '__NEXT_DATA__', value: { a: 1 } },
    ]);
  });

  it('reads assignments of data and of quoted JSON', () => {
    const html = `<script>window.__INITIAL_STATE__={a:1};window["__APOLLO_STATE__"] = {"b":2}; var __PRELOADED_STATE__ = JSON.parse("{\\"c\\":3}");</script>`;
    assert.deepEqual(states(html), [
      { name: '__INITIAL_STATE__', value: { a: 1 } },
      { name: '__APOLLO_STATE__', value: { b: 2 } },
      { name: '__PRELOADED_STATE__', value: { c: 3 } },
    ]);
  });

  it('joins the chunks of a component stream', () => {
    const html = `<script>self.__next_f.push([1,"0:[\\"a\\",{\\"b\\":"])</script><script>self.__next_f.push([1,"1}]\\n1:I[2]\\n"])</script>`;
    assert.deepEqual(states(html), [{ name: '__next_f', value: [['a', { b: 1 }]] }]);
  });

  it('never runs code and leaves functions out', () => {
    assert.deepEqual(states('<script>window.__NUXT__=(function(a){return {a:a}}(1)); window.x = {a: alert(1)}</script>'), []);
  });
});

describe('readStructuredData', () => {
  it('gives empty parts for an empty page', () => {
    const { jsonLd, microdata, rdfaLite, openGraph, states } = read('');
    assert.deepEqual([jsonLd, microdata, rdfaLite, Object.keys(openGraph), states], [[], [], [], [], []]);
  });

  it('reads each part once', () => {
    const data = read(block('{"a":1}'));
    assert.equal(data.jsonLd, data.jsonLd);
  });
});
