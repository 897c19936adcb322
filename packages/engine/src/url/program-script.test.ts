import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgramScript } from './program-script.ts';

test('knows scripts that answer programs by their name, where they are asked for something', () => {
  for (const path of ['/api.php?action=query', '/w/api.php?x', '/forum/ajax.php?do=list', '/Rest.aspx?id=1', '/xmlrpc.php?rsd'])
    assert.notEqual(findProgramScript(`https://site.test${path}`), undefined, path);
  for (const path of ['/api.php', '/api/?page=2', '/docs/api.html?v=2', '/rest?x=1', '/myapi.php?x=1', '/index.php?route=api.php'])
    assert.equal(findProgramScript(`https://site.test${path}`), undefined, path);
});

test('knows a parameter by which the scripts of a page ask', () => {
  for (const path of ['/index.php?route=/sql&ajax_request=1', '/a?is_ajax=true', '/a?xhr=1#top', '/a?id=2;ajax=yes'])
    assert.notEqual(findProgramScript(`https://site.test${path}`), undefined, path);
  for (const path of ['/a?ajax=amsterdam', '/a?q=ajax', '/a?ajax_request=0', '/a?topic=ajax_request=1', '/clubs?ajax_fans=1'])
    assert.equal(findProgramScript(`https://site.test${path}`), undefined, path);
});
