// The application that browsers run alone: a router, a loader and a page that is filled in two steps.
import { mainOf } from './view.js';

const root = document.querySelector('#root');

async function load(path) {
  const answer = await fetch(`/api/page?path=${encodeURIComponent(path)}`);
  return answer.json();
}

async function show(path) {
  root.innerHTML = '<header><a href="/">Shop</a></header><main aria-busy="true"><p>Loading…</p></main>';
  const state = await load(path);
  document.title = state.title;
  const main = document.createElement('main');
  main.innerHTML = mainOf(state);
  root.querySelector('main').replaceWith(main);
  // What is in stock is asked for once the page stands, as a second service would be.
  const stock = await (await fetch(`/api/stock?ids=${state.products.map(({ id }) => id).join(',')}`)).json();
  for (const [i, element] of main.querySelectorAll('.price').entries())
    element.insertAdjacentHTML('afterend', ` <small class="stock">${stock[i]} in stock</small>`);
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/"]');
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  void show(location.pathname);
});
addEventListener('popstate', () => void show(location.pathname));
void show(location.pathname);
