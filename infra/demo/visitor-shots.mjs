import { Api } from './api.mjs';
import { onboarding } from './business.mjs';
import { newAccount } from './people.mjs';
import { publicLink } from './visitors.mjs';
import { openWindow } from './window.mjs';

const WHOLE = { fullPage: true };

/** Screenshots of a visitor's pages, from the link to the booking and the waitlist, and of the trainer's page with them. */
export async function shootVisitors(browser, { url, folder, viewport }) {
  const api = new Api(url);
  const trainer = newAccount('Bruna Novata Dias');
  await api.signUp(trainer);
  await api.write('POST', '/onboarding', onboarding);
  await api.write('POST', '/locations', {
    nome: 'Parque do Povo',
    endereco: 'Av. Henrique Chamma, 420, Itaim Bibi, São Paulo, SP',
  });
  await api.write('POST', '/locations', { nome: 'Estúdio Centro' });
  await api.write('PUT', '/public-link', publicLink);
  const { slug } = await api.read('/public-link');

  const { page, take, close } = await openWindow(browser, { url, folder, viewport });
  const heading = (name) => page.getByRole('heading', { name }).first().waitFor();
  const fill = async (nome, whatsapp) => {
    await page.locator('input[name=nome]').fill(nome);
    await page.locator('input[name=whatsapp]').fill(whatsapp);
    await page.locator('input[name=consentimento]').check();
  };
  await page.goto('/p/ninguem');
  await heading('Personal não encontrado');
  await take('visita-nao-ha');
  await page.goto(`/p/${slug}`);
  await heading('Bruna Novata Dias');
  await take('visita-personal', WHOLE);
  await page.getByRole('link', { name: 'Parque do Povo' }).click();
  await heading('Escolha o horário');
  await take('visita-horarios');
  await take('visita-horarios-inteira', WHOLE);
  await page.getByRole('button', { name: 'Agendar' }).click();
  await page.getByText('Informe o WhatsApp com DDD').waitFor();
  await take('visita-erros', WHOLE);
  const first = page.locator('input[name=inicio]').first();
  const inicio = await first.getAttribute('value');
  const place = page.url().split('/').at(-1);
  const { locais } = await api.read(`/public/pages/${slug}`);
  const { porta } = locais.find(({ id }) => id === place);
  await api.write('POST', '/public/bookings', {
    slug,
    location_id: place,
    inicio,
    nome: 'Otávio Brandão',
    whatsapp: '(11) 98123-4501',
    consentimento: 3,
    porta,
  });
  await first.check();
  await fill('Carla Visitante', '(11) 98123-4599');
  await page.getByRole('button', { name: 'Agendar' }).click();
  await page.getByText('Esse horário acabou de ser ocupado').waitFor();
  await take('visita-ocupado');
  await page.locator('.ways-out button').first().click();
  await take('visita-escolhido');
  await page.getByRole('button', { name: 'Agendar' }).click();
  await heading('Horário reservado');
  await take('visita-reserva', WHOLE);
  for (const summary of await page.locator('summary').all()) await summary.click();
  await take('visita-reserva-mudar', WHOLE);
  await page.locator('#cancel button').click();
  await heading('Reserva cancelada');
  await take('visita-cancelada', WHOLE);

  await page.goto(`/p/${slug}/${place}/espera`);
  await heading('Lista de espera');
  await fill('Helena Couto', '(11) 98123-4504');
  await page.locator('input[value=noite]').check();
  await take('espera-entrar', WHOLE);
  await page.getByRole('button', { name: 'Entrar na lista' }).click();
  await heading('Você está na lista');
  await take('espera-dentro', WHOLE);
  const waiting = page.url();
  await close();

  const desk = await openWindow(browser, { url, folder, viewport });
  await desk.signIn(trainer);
  await desk.page.goto('/link-publico');
  await desk.page.getByText('Helena Couto').waitFor();
  await desk.take('link-publico', WHOLE);
  await desk.page.getByRole('button', { name: 'Recusar', exact: true }).first().click();
  await desk.take('link-publico-recusar');
  await desk.close();

  // Open new times, which are then offered to the waitlist.
  const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('sv', {
    timeZone: 'America/Sao_Paulo',
  });
  await api.write('PUT', `/availability/exceptions/${tomorrow}`, {
    horarios: [{ start_time: '18:00', end_time: '21:00', is_blocked: false }],
  });
  const offered = await openWindow(browser, { url, folder, viewport });
  await offered.page.goto(waiting);
  while (!(await offered.page.getByText('Quero este horário').isVisible())) {
    await offered.page.waitForTimeout(1000);
    await offered.page.reload();
  }
  await offered.take('espera-oferta', WHOLE);
  await offered.close();
}
