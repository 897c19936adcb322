import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from './summary.ts';

const seen = (text: string) => ({ value: text, text, compared: text, digest: text });
const told = (old: string, now: string) => summarize('changed', 'page', seen(old), seen(now), undefined);
const LONG = 'Home Shop Pots Lids Knives Boards Towels Aprons Scales Sieves Bowls Ladles Whisks Graters Peelers Trivets Contact Imprint';

describe('the sentence of a change', () => {
  it('says both values where they are short', () => {
    assert.equal(told('a', 'b'), 'page changed from "a" to "b".');
  });

  it('begins long ones a little before they differ, and not where they are the same', () => {
    assert.equal(
      told(`${LONG} Kettle 24.50 EUR ${LONG}`, `${LONG} Kettle 19.90 EUR ${LONG}`),
      'page changed from "…Peelers Trivets Contact Imprint Kettle 24.50 EUR Home Shop Pots Lids Knives Boards Towels Aprons Scales Sieves Bowls Lad…" ' +
        'to "…Peelers Trivets Contact Imprint Kettle 19.90 EUR Home Shop Pots Lids Knives Boards Towels Aprons Scales Sieves Bowls Lad…".',
    );
  });

  it('shows what was added to the end of a long one', () => {
    assert.equal(
      told(LONG, `${LONG} Jobs`),
      'page changed from "…Graters Peelers Trivets Contact Imprint" to "…Graters Peelers Trivets Contact Imprint Jobs".',
    );
  });

  it('begins at the beginning where that is what differs', () => {
    assert.match(told(`Old ${LONG}`, `New ${LONG}`), /^page changed from "Old Home .*…" to "New Home .*…"\.$/);
  });
});
