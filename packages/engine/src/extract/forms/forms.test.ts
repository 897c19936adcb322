import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectAll } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import { parseTree } from '../../html/tree.ts';
import { findForms } from './forms.ts';
import type { FormType } from './vocabulary.ts';

const URL_OF_PAGE = 'https://shop.test/a/page';
const formsOf = (html: string, url = URL_OF_PAGE) => findForms(parseTree(html, url));
const only = (html: string) => {
  const [form] = formsOf(html);
  assert.ok(form);
  return form;
};

const TYPES: readonly [type: FormType, promise: string, html: string][] = [
  ['search', 'a query and a button', '<form action="/search"><input name="q"><button>Go</button></form>'],
  ['search', 'role=search', '<form role="search"><input name="x1" type="text"></form>'],
  ['search', 'a Russian button', '<form method="post"><input name="query"><input type="submit" value="Найти"></form>'],
  ['login', 'a name and a password', '<form method="post"><input name="u"><input type="password" name="p"><button>Sign in</button></form>'],
  [
    'login',
    'a German login',
    '<form method="post"><input name="benutzer"><input type="password" name="p"><button>Anmelden</button></form>',
  ],
  [
    'registration',
    'two passwords',
    '<form method="post"><input name="username"><input type="email" name="e"><input type="password" name="p"><input type="password" name="p2"><button>Create account</button></form>',
  ],
  [
    'password_reset',
    'an address to send a link to',
    '<form action="/password/forgot" method="post"><input name="email"><button>Send link</button></form>',
  ],
  ['newsletter', 'a lone address', '<form method="post"><input type="email" name="e"><button>Subscribe</button></form>'],
  [
    'contact',
    'a message with a name',
    '<form method="post" action="/contact"><input name="name"><input name="email"><textarea name="message"></textarea><button>Send</button></form>',
  ],
  ['comment', 'a reply', '<form id="commentform" method="post"><textarea name="comment"></textarea><button>Post comment</button></form>'],
  ['order', 'a basket', '<form action="/cart/add" method="post"><input name="qty" value="1"><button>Add to cart</button></form>'],
  ['other', 'an empty form', '<form></form>'],
  ['other', 'a language switch', '<form><select name="lang"><option>en</option></select></form>'],
];

for (const [type, promise, html] of TYPES) test(`takes ${promise} for ${type}`, () => assert.equal(only(html).type, type));

test('gives one entry for each form, in document order', () => {
  const html = '<form id="a"></form><div><form id="b"><input></form></div><template><form id="t"></form></template><form id="c"></form>';
  assert.deepEqual(
    formsOf(html).map(({ selector }) => selector),
    ['#a', '#b', '#c'],
  );
});

test('selects each form alone, whatever its ids are', () => {
  const html = '<form id="1 x"></form><form id="same"></form><form id="same"></form><section><form></form><form></form></section>';
  const tree = parseTree(html, URL_OF_PAGE);
  const found = findForms(tree).map(({ selector }) => selectAll<AnyNode, Element>(selector, tree.root));
  assert.ok(found.every((matches) => matches.length === 1));
  assert.equal(new Set(found.map(([form]) => form)).size, 5);
});

test('resolves the action, and takes the page where it is missing or a script', () => {
  assert.equal(only('<form action="../send?x=1"></form>').action, 'https://shop.test/send?x=1');
  assert.equal(only('<form></form>').action, URL_OF_PAGE);
  assert.equal(only('<form action="javascript:go()"></form>').action, URL_OF_PAGE);
});

test('reads the method as browsers do', () => {
  assert.equal(only('<form method=" POST "></form>').method, 'post');
  assert.equal(only('<form method="PUT"></form>').method, 'get');
});

test('reads names, labels, values and options, and keeps passwords to itself', () => {
  const form = only(`<form>
    <label for="e">Your e-mail</label><input id="e" name="mail" required value="a@b.test">
    <label>Password <input type="password" name="pw" value="hunter2"></label>
    <select name="country"><option value="de">Germany<option value="fr" selected>France</select>
    <textarea name="note" aria-label="Note">one
two</textarea>
    <input type="checkbox" name="stay" aria-label="Remember me" checked>
    <input type="hidden" name="token" value="t1"><button>Go</button></form>`);
  assert.deepEqual(form.fields, [
    { name: 'mail', type: 'email', control: 'text', label: 'Your e-mail', required: true, value: 'a@b.test' },
    { name: 'pw', type: 'password', control: 'password', label: 'Password', required: false },
    {
      name: 'country',
      type: 'country',
      control: 'select',
      required: false,
      value: 'fr',
      options: [
        { value: 'de', label: 'Germany', selected: false },
        { value: 'fr', label: 'France', selected: true },
      ],
    },
    { name: 'note', type: 'message', control: 'textarea', label: 'Note', required: false, value: 'one\ntwo' },
    { name: 'stay', type: 'remember_me', control: 'checkbox', label: 'Remember me', required: false, value: 'on' },
    { name: 'token', type: 'hidden', control: 'hidden', required: false, value: 't1' },
    { name: '', type: 'submit', control: 'submit', label: 'Go', required: false },
  ]);
});

const MEANINGS: readonly [type: string, input: string][] = [
  ['username', '<input name="login">'],
  ['email', '<input name="user[email]">'],
  ['first_name', '<input name="data[User][firstName]">'],
  ['username_or_email', '<input name="log" placeholder="Username or email">'],
  ['password_confirm', '<input type="password" name="password_confirmation">'],
  ['email_confirm', '<input name="confirmEmail">'],
  ['search_query', '<input name="q">'],
  ['postal_code', '<input name="zip">'],
  ['phone', '<input type="tel" name="x">'],
  ['captcha', '<textarea name="recaptcha_challenge_field"></textarea>'],
  ['terms', '<input type="checkbox" name="agree">'],
  ['date', '<input type="date" name="when">'],
  ['text', '<input name="x1">'],
];

for (const [type, input] of MEANINGS) {
  test(`reads ${input} as ${type}`, () => assert.equal(only(`<form method="post">${input}</form>`).fields[0]?.type, type));
}

test('gives a control to the form that its attribute names', () => {
  const [first, second] = formsOf('<form id="a"></form><form id="b"><input name="x" form="a"></form>');
  assert.deepEqual([first?.fields.length, second?.fields.length], [1, 0]);
});

test('gives the controls of table cells to the form that the table swallowed', () => {
  const [form] = formsOf('<table><form action="/go"><tr><td><input name="q"></td></tr></form></table><input name="outside">');
  assert.deepEqual(
    form?.fields.map(({ name }) => name),
    ['q'],
  );
});

for (const [select, value] of [
  ['<select name="s"><option value="a">A<option value="b">B</select>', 'a'],
  ['<select name="s"><option value="" disabled>Choose<option value="b">B</select>', 'b'],
  ['<select name="s"><optgroup disabled><option>a</optgroup><option>b</select>', 'b'],
  ['<select name="s"><option selected>a<option selected>b</select>', 'b'],
  ['<select name="s" multiple><option>a<option>b</select>', undefined],
  ['<select name="s" size="3"><option>a<option>b</select>', undefined],
  ['<select name="s"></select>', undefined],
] as const)
  test(`untouched, ${select} sends ${value ?? 'nothing'}`, () => {
    assert.equal(formsOf(`<form><input name="q">${select}</form>`)[0]?.fields[1]?.value, value);
  });
