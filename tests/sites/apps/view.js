// The shop's templates. The server of the hydrated and of the enhanced application runs them, and so do browsers.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text) => String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]);

const item = ({ id, name, price, text }) =>
  `<li class="item"><a class="name" href="/product/${id}">${escape(name)}</a> <span class="price">${escape(price)}</span><p>${escape(text.slice(0, 80))}…</p></li>`;

const list = ({ title, products, next }) =>
  `<h1>${escape(title)}</h1><ul class="items">${products.map(item).join('')}</ul>` +
  (next ? `<nav><a class="next" rel="next" href="${escape(next)}">More</a></nav>` : '');

const detail = ({ name, price, text }) =>
  `<h1 class="name">${escape(name)}</h1><p class="price">${escape(price)}</p><p class="text">${escape(text)}</p><a class="back" href="/">All products</a>`;

/** The inside of `<main>` for the state of a page. */
export function mainOf(state) {
  return state.path.startsWith('/product/') ? detail(state.products[0]) : list(state);
}

/** The text of an element or attribute. */
export { escape };
