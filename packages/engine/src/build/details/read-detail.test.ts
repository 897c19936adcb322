import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDetail } from './read-detail.ts';

/** Three products whose values differ, but for the availability that all share. */
const sources = [1, 2, 3].map((n) => ({
  body: Buffer.from(`<main><h1>Lamp ${n}</h1><article><p class="price">£${n}8.77</p><p class="availability">In stock</p>
    <p>Number ${n} is made of brass and glass, and gives a light to read by.</p>
    <b>Weight</b><span>${n} kg</span></article></main>`),
  contentType: 'text/html; charset=utf-8',
  url: `https://shop.test/lamps/${n}`,
}));

test('is named by what stands before it, but for a paragraph, which is a value of its own', async () => {
  const { fields } = await readDetail({ sources });
  assert.deepEqual(
    fields.map(({ name, samples }) => [name, samples[1]]),
    [
      ['title', 'Lamp 2'],
      ['price', '£28.77'],
      ['text', 'Number 2 is made of brass and glass, and gives a light to read by.'],
      ['weight', '2 kg'],
    ],
  );
});

test('the only row of a table says one thing in each of its columns, by the name of the column', async () => {
  const rows = [1, 2, 3].map((n) => ({
    body: Buffer.from(
      `<main><h1>Lamps: ${n}</h1><table><thead><tr><th>Number</th><th>Name</th><th>Weight</th></tr></thead><tbody><tr><td>${n}</td><td><a href="/l/${n}">Lamp ${n}0</a></td><td>${n} kg</td></tr></tbody></table></main>`,
    ),
    contentType: 'text/html; charset=utf-8',
    url: `https://shop.test/lamps/${n}`,
  }));
  const { fields } = await readDetail({ sources: rows });
  assert.deepEqual(
    fields.map(({ name, samples }) => [name, samples[1]]),
    [
      ['title', 'Lamps: 2'],
      ['number', '2'],
      ['name', 'Lamp 20'],
      ['weight', '2 kg'],
    ],
  );
});
