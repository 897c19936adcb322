import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withoutInternalSubset } from './internal-subset.ts';

suite('the internal subset of a DOCTYPE', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      'declared characters',
      '<!DOCTYPE html [\n\t<!ENTITY nbsp "&#xA0;">\n\t<!ENTITY sdot "&#x22C5;">\n]>\n<p>a&sdot;b',
      '<!DOCTYPE html>\n<p>a&#x22C5;b',
    ],
    [
      'public and system names, behind an XML declaration and a comment',
      `<?xml version="1.0" encoding="utf-8"?>\n<!-- a --><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd" [<!ENTITY me 'Ann &amp; co'>]><p>&me;`,
      `<?xml version="1.0" encoding="utf-8"?>\n<!-- a --><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><p>Ann &amp; co`,
    ],
    [
      'brackets in literals and comments',
      `<!DOCTYPE html [<!ENTITY a "]>"><!-- ]> ' --><?x ]> ?><!ATTLIST p a CDATA #IMPLIED>] ><p>&a;`,
      '<!DOCTYPE html><p>]>',
    ],
    ['the first declaration counts', '<!DOCTYPE html [<!ENTITY a "1"><!ENTITY a "2">]>&a;&b;', '<!DOCTYPE html>1&b;'],
    [
      'entities from elsewhere stay references',
      '<!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY % b "c">]>&a;%b;',
      '<!DOCTYPE html>&a;%b;',
    ],
    [
      'what an entity stands for is not expanded again',
      '<!DOCTYPE html [<!ENTITY a "&b;&b;"><!ENTITY b "x">]>&a;',
      '<!DOCTYPE html>&b;&b;',
    ],
    ['no subset', '<!DOCTYPE html>\n<p>[a]>', '<!DOCTYPE html>\n<p>[a]>'],
    ['brackets behind the DOCTYPE', '<!DOCTYPE html><p>[ ]>', '<!DOCTYPE html><p>[ ]>'],
    ['a subset without an end', '<!DOCTYPE html [ <!ENTITY a "b"> <p>text', '<!DOCTYPE html [ <!ENTITY a "b"> <p>text'],
    ['a literal without an end', '<!DOCTYPE html [ <!ENTITY a "b> ]><p>text', '<!DOCTYPE html [ <!ENTITY a "b> ]><p>text'],
  ];
  for (const [promise, html, expected] of cases) test(promise, () => assert.equal(withoutInternalSubset(html), expected));

  test('a name for much text does not blow up the page', () => {
    const html = `<!DOCTYPE html [<!ENTITY a "${'x'.repeat(10_000)}">]>${'&a;'.repeat(100_000)}`;
    assert.ok(withoutInternalSubset(html).length < 2 * html.length + 1_000_000);
  });
});
