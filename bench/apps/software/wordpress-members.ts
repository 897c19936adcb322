// The WordPress of the weblog, seen by who writes it: the list of posts of its administration, on two pages.
import type { LoginApp, Row } from '../login-app.ts';
import { query } from '../mariadb.ts';
import { WORDPRESS, WORDPRESS_DATABASE } from './wordpress.ts';

/** As wordpress/install.php makes it. */
const WRITER = { username: 'gardener', password: 'garden-weblog-0123456789' };

export const WORDPRESS_MEMBERS: LoginApp = {
  software: WORDPRESS,
  site: ({ place, origin }) => ({
    origin,
    login: { ...WRITER, url: `${origin}/wp-login.php` },
    accounts: [WRITER],
    form: { username: '#user_login', password: '#user_pass', submit: '#wp-submit', proof: '#wp-admin-bar-my-account' },
    list: {
      url: `${origin}/wp-admin/edit.php`,
      row: '#the-list tr.type-post',
      columns: { title: { selector: 'a.row-title' }, link: { selector: '.row-actions .view a', attribute: 'href' } },
      next: '.tablenav.top a.next-page',
      rows: () => postsOf(origin),
    },
    isLogin: ({ method, target }) => method === 'POST' && target.startsWith('/wp-login.php'),
    async endSessions() {
      await query(place, "DELETE FROM wp_usermeta WHERE meta_key = 'session_tokens'", WORDPRESS_DATABASE);
    },
  }),
};

/** Newest first, as the list of posts is. */
async function postsOf(origin: string): Promise<Row[]> {
  const response = await fetch(`${origin}/wp-json/wp/v2/posts?per_page=100&_fields=title,link`);
  if (!response.ok) throw new Error(`/wp-json/wp/v2/posts answered ${response.status}`);
  const posts = (await response.json()) as readonly { readonly title: { readonly rendered: string }; readonly link: string }[];
  return posts.map(({ title, link }) => ({ title: title.rendered, link }));
}
