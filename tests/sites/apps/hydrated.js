// Takes over a page that came rendered: the same markup once more from the embedded state, and buttons that work.
import { mainOf } from './view.js';

const state = JSON.parse(document.querySelector('#__SHOP_STATE__').textContent);
const main = document.querySelector('main');
main.innerHTML = mainOf(state);
for (const element of main.querySelectorAll('.price')) {
  const button = document.createElement('button');
  button.textContent = 'Add to basket';
  button.addEventListener('click', () => button.classList.toggle('is-chosen'));
  element.after(button);
}
document.documentElement.dataset.hydrated = 'true';
