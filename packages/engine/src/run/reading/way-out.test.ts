// What tells that somebody is signed in where a workflow does not say it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { isSignedIn } from './way-out.ts';

const PAGES: readonly (readonly [html: string, isIn: boolean])[] = [
  ['<a href="/users/sign_out">Ada</a>', true],
  ['<form method=post action="/out"><button>Log out</button></form>', true],
  ['<div hidden><a href="/konto">Abmelden</a></div>', true],
  ['<a href="/w?title=Special:UserLogout&returnto=Main">Sair</a>', true],
  ['<a href="/login">Log in</a> <a href="/help/logging-out">How to log out</a>', false],
  ['<a href="/logout">Log out</a><form><input name=user><input type=PASSWORD name=pass></form>', false],
  ['<p>Your account is locked.</p>', false],
];

for (const [html, isIn] of PAGES)
  test(`${html} is ${isIn ? 'that of somebody' : 'that of nobody'}`, () =>
    assert.equal(isSignedIn(parseTree(html, 'https://club.test/', { includeHidden: true })), isIn));
