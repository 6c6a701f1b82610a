import { beforeEach, expect, it, jest } from '@jest/globals';
import { TextDecoder } from 'node:util';
import { fireEvent, waitFor } from '@testing-library/react';

const who = `
  <label>Nome<input name="nome"></label>
  <div class="phone"><label>WhatsApp<input name="whatsapp"></label><select class="country" disabled>
    <option value="55">Brasil</option><option value="1CA">Canadá</option>
    <option value="1">Estados Unidos</option><option value="351">Portugal</option></select></div>
  <label>E-mail<input name="email"></label><label>Site<input name="site"></label>
  <label><input type="checkbox" name="consentimento" value="1"></label>`;

/** The parts of the server's pages that the script uses. */
document.body.innerHTML = `
  <form id="booking" data-slug="ana" data-place="p" data-zone="America/Sao_Paulo">
    <fieldset class="days"><input type="radio" name="inicio" value="2026-11-03T12:00:00.000Z"></fieldset>${who}
    <span id="free"></span><p id="chosen"></p><button type="submit" disabled>Agendar</button>
  </form>
  <form id="waiting" data-slug="ana" data-place="p" data-zone="America/Sao_Paulo">
    <div class="pair"><label>Do dia<input name="de" value="2026-11-03"></label>
      <label>Até o dia<input name="ate" value="2026-11-03"></label></div>
    <fieldset><input type="checkbox" name="periodos" value="noite"></fieldset>${who.replace('consentimento" value="1"', 'consentimento" value="2"')}
    <button type="submit" disabled>Entrar na lista</button>
  </form>
  <form id="offer" data-token="t" data-offer="1">
    <button type="submit" disabled>Quero este horário</button><button type="button" id="refuse" disabled>Não posso</button>
  </form>
  <form id="leave" data-token="t"><button type="submit" disabled>Sair da lista</button></form>
  <section id="changes" data-token="t" data-zone="America/Sao_Paulo">
    <form id="move"><input type="radio" name="inicio" value="2026-11-03T12:00:00.000Z" checked><p id="chosen"></p>
      <button type="submit" disabled>Remarcar</button></form>
    <form id="cancel"><button type="submit" disabled>Cancelar</button></form>
  </section>
  <div id="result"></div><div id="drop"><input type="file" disabled></div>
  <template id="unknown">Arquivo desconhecido</template>
  <div id="said" role="alert"></div>`;
const typedBefore = { nome: 'Duda', whatsapp: '(11) 91234-0000', agreed: '1 /' };
sessionStorage.setItem('rende.visitor', JSON.stringify(typedBefore));
const unanswered = { slug: 'ana', location_id: 'p', inicio: '2026-11-03T13:00:00.000Z', nome: 'Duda' };
sessionStorage.setItem(
  'rende.unanswered',
  JSON.stringify({ path: 'public/bookings', body: unanswered, key: 'first', at: Date.now() }),
);
const send = jest.fn<typeof fetch>();
globalThis.fetch = send;
await import('./booking.js');
const onLoading = { said: document.getElementById('said')!.textContent, sent: send.mock.calls.length };
const again = document.querySelector<HTMLButtonElement>('#said button')!;
const restored = document.querySelector<HTMLInputElement>('#waiting [name="nome"]')!.value;
const agreed = Array.from(
  document.querySelectorAll<HTMLInputElement>('[name="consentimento"]'),
  ({ checked }) => checked,
);

const find = <Found extends HTMLElement>(selector: string) => document.querySelector<Found>(selector)!;
const field = (form: string, name: string) => find<HTMLInputElement>(`#${form} [name="${name}"]`);
const said = () => find('#said').textContent;

const broken = () => Promise.resolve(new Response('{}', { status: 500 }));
function fillIn(form: string): void {
  field(form, 'nome').value = 'Carla';
  field(form, 'whatsapp').value = '(11) 91234-5678';
  field(form, 'consentimento').checked = true;
}

beforeEach(() => {
  send.mockReset().mockImplementation(broken);
  for (const form of ['booking', 'waiting']) fillIn(form);
  field('booking', 'inicio').checked = true;
  field('waiting', 'periodos').checked = true;
});

it('sends what was not answered before the page was loaded again only when tapped, with the key of before', async () => {
  expect(onLoading).toEqual({
    said: 'Não soubemos se sua reserva de ter., 3 de nov., 10:00 chegou. Se chegou, enviar de novo não repete.Enviar de novo',
    sent: 0,
  });
  fireEvent.click(again);
  await waitFor(() => expect(said()).toBe('Erro ao agendar. Tente de novo.Enviar de novo'));
  const [[path, { headers, body } = {}]] = send.mock.calls as [Parameters<typeof fetch>];
  expect([path, headers, JSON.parse(body as string)]).toEqual([
    '/api/v1/public/bookings',
    expect.objectContaining({ 'Idempotency-Key': 'first' }),
    unanswered,
  ]);
  await waitFor(() => expect(find('#booking [aria-disabled]')).toBeNull());
  // That too many were sent says nothing of the first.
  send.mockResolvedValue(new Response('{"code":"rate_limited"}', { status: 429 }));
  fireEvent.click(again);
  await waitFor(() => expect(said()).toBe('Muitas tentativas. Tente de novo em um minuto.Enviar de novo'));
  // Where there is an answer, there is nothing to ask again.
  await waitFor(() => expect(find('#booking [aria-disabled]')).toBeNull());
  send.mockResolvedValue(new Response('{"title":"Não deu"}', { status: 409 }));
  fireEvent.click(again);
  await waitFor(() => expect(said()).toBe('Não deu'));
  await waitFor(() => expect(find('#booking [aria-disabled]')).toBeNull());
});

it.each([
  ['#booking', 'Erro ao agendar. Tente de novo.'],
  ['#waiting', 'Erro ao entrar na lista. Tente de novo.'],
  ['#offer', 'Erro ao agendar. Tente de novo.'],
  ['#leave', 'Erro ao sair da lista. Tente de novo.'],
  ['#move', 'Erro ao remarcar. Tente de novo.'],
  ['#cancel', 'Erro ao cancelar. Tente de novo.'],
])('%s says what was not done: %s', async (form, text) => {
  fireEvent.submit(find(form));
  await waitFor(() => expect(said()).toBe(text));
  // The button can be used again.
  await waitFor(() => expect(find(`${form} [aria-disabled]`)).toBeNull());
});

it('declines an offer once, and says if that failed', async () => {
  fireEvent.click(find('#refuse'));
  fireEvent.click(find('#refuse'));
  fireEvent.submit(find('#offer'));
  await waitFor(() => expect(said()).toBe('Erro ao recusar. Tente de novo.'));
  expect(send).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(find('#offer [aria-disabled]')).toBeNull());
});

it('says without a connection that the typed values are kept, if there are any', async () => {
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  fireEvent.submit(find('#booking'));
  await waitFor(() =>
    expect(said()).toBe('Sem conexão com o servidor. O que você digitou continua aqui: tente de novo.'),
  );
  fireEvent.submit(find('#cancel'));
  await waitFor(() => expect(said()).toBe('Sem conexão com o servidor. Tente de novo.'));
});

it('connects each error to its field, and removes it when the form is sent again', async () => {
  for (const form of ['booking', 'waiting']) {
    field(form, 'nome').value = '';
    field(form, 'consentimento').checked = false;
    fireEvent.submit(find(`#${form}`));
  }
  expect(send).not.toHaveBeenCalled();
  const note = (form: string, name: string) =>
    find(`#${form} #${field(form, name).getAttribute('aria-describedby')!}`).textContent;
  expect(note('booking', 'nome')).toBe('Informe seu nome');
  expect(note('booking', 'consentimento')).toBe('É preciso concordar para agendar');
  expect(note('waiting', 'consentimento')).toBe('É preciso concordar para entrar na lista');
  await waitFor(() => expect(find('[aria-disabled]')).toBeNull());
  fillIn('booking');
  fireEvent.submit(find('#booking'));
  expect(document.querySelectorAll('#booking [aria-invalid], #booking [aria-describedby]')).toHaveLength(0);
  await waitFor(() => expect(said()).toBe('Erro ao agendar. Tente de novo.'));
});

it('shows an error of a date below the row of dates, and not in it', async () => {
  const errors = [{ pointer: '/ate', detail: 'O último dia é antes do primeiro' }];
  send.mockResolvedValue(new Response(JSON.stringify({ errors }), { status: 422 }));
  fireEvent.submit(find('#waiting'));
  await waitFor(() => expect(find('#wrong-ate')).not.toBeNull());
  expect(find('.pair + #wrong-ate').textContent).toBe('O último dia é antes do primeiro');
  await waitFor(() => expect(find('#waiting [aria-disabled]')).toBeNull());
});

it('removes the error of a field as soon as it is changed, and of no other', async () => {
  field('booking', 'nome').value = '';
  field('booking', 'whatsapp').value = '';
  fireEvent.submit(find('#booking'));
  await waitFor(() => expect(find('[aria-disabled]')).toBeNull());
  fireEvent.input(field('booking', 'nome'), { target: { value: 'Carla' } });
  expect(find('#booking #wrong-nome')).toBeNull();
  expect(field('booking', 'nome').hasAttribute('aria-invalid')).toBe(false);
  expect(find('#booking #wrong-whatsapp').textContent).toBe('Informe o WhatsApp com DDD');
});

it("keeps the visitor's name and contact while the tab is open, and the consent for the text that was agreed to", () => {
  expect([restored, ...agreed]).toEqual(['Duda', true, false]);
  fireEvent.input(field('booking', 'nome'), { target: { value: 'Carla Dias' } });
  expect(JSON.parse(sessionStorage.getItem('rende.visitor')!)).toMatchObject({
    nome: 'Carla Dias',
    email: '',
    agreed: '1 /',
  });
});

it('keeps the chosen time in the address for a reload', () => {
  fireEvent.change(field('booking', 'inicio'));
  expect(location.search).toBe('?em=2026-11-03T12%3A00%3A00.000Z');
  field('booking', 'inicio').checked = false;
  fireEvent.change(field('booking', 'inicio'));
  expect(location.search).toBe('');
});

it('shows which time is chosen when the browser returns to the page', () => {
  field('booking', 'inicio').checked = false;
  fireEvent.change(field('booking', 'inicio'));
  expect(find('#chosen').textContent).toBe('Escolha um horário');
  // The browser restores the field in the same way: without an event.
  field('booking', 'inicio').checked = true;
  fireEvent(window, new Event('pageshow'));
  expect(find('#chosen').textContent).toBe('ter., 3 de nov., 9:00');
});

it('does not read a file that is too large for a signed copy', async () => {
  const size = 3_000_000_000;
  const film = { name: 'filme.pdf', size, arrayBuffer: () => Promise.reject(new Error('out of memory')) };
  fireEvent.drop(find('#drop'), { dataTransfer: { files: [film] } });
  await waitFor(() => expect(find('#result').textContent).toBe('Arquivo desconhecido'));
});

it('says why a file was not verified, and verifies the one that was chosen last', async () => {
  const fileOf = (size: number) => ({ size, arrayBuffer: () => Promise.resolve(Buffer.alloc(size)) });
  // jsdom has none.
  Object.assign(globalThis, { TextDecoder });
  const choose = (file: object) => fireEvent.drop(find('#drop'), { dataTransfer: { files: [file] } });
  send.mockImplementation(() =>
    Promise.resolve(new Response('{}', { status: 429, headers: { 'Retry-After': '100' } })),
  );
  choose(fileOf(1));
  await waitFor(() => expect(said()).toBe('Muitas tentativas. Tente de novo em 2 minutos.'));
  let answer = (_: Response) => {};
  send.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  send.mockImplementation(() => Promise.resolve(new Response('', { status: 404 })));
  choose(fileOf(2));
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  choose(fileOf(3));
  await waitFor(() => expect(find('#result').textContent).toBe('Arquivo desconhecido'));
  expect(said()).toBe('');
  answer(new Response('', { status: 500 }));
  await new Promise((resolve) => setTimeout(resolve));
  expect([said(), find('#result').textContent]).toEqual(['', 'Arquivo desconhecido']);
});

it('shows the country of the phone, and puts the number in the one that is chosen', () => {
  const [phone, country] = [field('booking', 'whatsapp'), find<HTMLSelectElement>('#booking .country')];
  fireEvent.input(phone, { target: { value: '+351912345678' } });
  expect([phone.value, country.value]).toEqual(['+351 912 345 678', '351']);
  fireEvent.change(country, { target: { value: '1CA' } });
  fireEvent.input(phone);
  expect([phone.value, country.value]).toEqual(['+1 912 345 678', '1CA']);
  fireEvent.input(phone, { target: { value: '+1212' } });
  expect(country.value).toBe('1CA');
  fireEvent.input(phone, { target: { value: '11' } });
  expect(country.value).toBe('55');
});
