import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgramScript } from './program-script.ts';

test('knows scripts that answer programs by their name, where they are asked for something', () => {
  for (const path of ['/api.php?action=query', '/w/api.php?x', '/forum/ajax.php?do=list', '/Rest.aspx?id=1', '/xmlrpc.php?rsd'])
    assert.notEqual(findProgramScript(`https://site.test${path}`), undefined, path);
  for (const path of ['/api.php', '/api/?page=2', '/docs/api.html?v=2', '/rest?x=1', '/myapi.php?x=1', '/index.php?route=api.php'])
    assert.equal(findProgramScript(`https://site.test${path}`), undefined, path);
});
