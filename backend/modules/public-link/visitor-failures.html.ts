import { html } from '../../platform/http/html.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';

const noTrainer = {
  status: 404,
  title: 'Personal não encontrado',
  detail: 'O link pode ter mudado ou sido desativado. Peça o link atual ao seu personal.',
};
const noLocation = {
  status: 404,
  title: 'Este local não está mais disponível',
  detail: 'Escolha outro local na página do personal.',
};

export const visitorFailures = pageFailures('/p', ({ code, detail, extensions: { contato } }, path) => {
  if (code === 'public.location_gone') {
    const trainersPage = path.split('/', 3).join('/');
    const action = html`<a class="button" href="${trainersPage}">Ver outros locais</a>`;
    return { ...noLocation, action };
  }
  if (code === 'public.paused') {
    const words = { status: 404, title: detail!, detail: 'Volte mais tarde.' };
    if (typeof contato !== 'string') return words;
    const action = html`<a class="button" href="${contato}" rel="noopener noreferrer">Falar no WhatsApp</a>`;
    return { ...words, detail: 'Para agendar uma aula, fale pelo WhatsApp.', action };
  }
  return /^\/p\/(reserva|espera)\//.test(path) ? DEAD_LINK : noTrainer;
});
