import { html, type Html } from '../../platform/http/html.js';
import { plural } from '../../platform/plural.api.js';
import { feeOf } from '../agenda/cancellation.js';
import { countryChoice } from '../../platform/http/pages/shell.html.js';
import { brl, dateFormat, firstName } from '../../platform/portuguese.js';
import { phoneCountries } from '../students/phone-abroad.api.js';
import { consents, type DoorTerms } from './public-page.api.js';
import { LAPSE_HOURS } from './visitor-demand.js';

const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const;

export const weekday = (at: string, zone: string) => dateFormat(DAY, zone).format(new Date(at));
export const fullDay = (at: string, zone: string) => dateFormat(FULL_DAY, zone).format(new Date(at));

/** `sex.`, `4` or `dez.` */
export function dayPart(at: string, zone: string, part: string): string {
  const parts = dateFormat(DAY, zone).formatToParts(new Date(at));
  return parts.find(({ type }) => type === part)?.value ?? '';
}

export const partNames = [
  ['manha', 'Manhã', 'até 12:00'],
  ['tarde', 'Tarde', 'até 18:00'],
  ['noite', 'Noite', 'após 18:00'],
] as const;

/** What the terms ask for, as sentences for the visitor. `hours`: for how long the trainer may take to confirm. */
function doorInWords(
  { preco, entrada, limite_horas, fora_percent, falta_percent, espera_min }: DoorTerms,
  { first, hours }: { first: string; hours: number },
): string[] {
  const held =
    espera_min === null
      ? `${first} confere o Pix e confirma em até ${hours} horas, sempre antes da aula.`
      : `O horário fica guardado por ${plural(espera_min, 'minuto', 'minutos')}.`;
  const asked =
    entrada === preco
      ? `Para reservar, pague ${brl(preco)} por Pix.`
      : `Para reservar, pague por Pix o sinal de ${brl(entrada)}. Ele é parte do preço de ${brl(preco)}: os outros ${brl(preco - entrada)} ficam para a aula.`;
  const late = brl(feeOf(fora_percent, preco));
  const back =
    fora_percent === 0
      ? 'Se você cancelar, o valor pago volta inteiro.'
      : `Até ${limite_horas} h antes da aula você cancela e recebe o valor inteiro de volta. Faltando menos que isso, cancelar a aula já confirmada custa ${late}.`;
  const absent =
    falta_percent === 0
      ? 'Faltar não custa nada.'
      : `Faltar à aula confirmada custa ${brl(feeOf(falta_percent, preco))}${entrada > 0 ? ', já contando o que você pagou' : ''}.`;
  return [
    ...(entrada > 0
      ? [`${asked} ${held}`, `${back} Se ${first} não confirmar ou cancelar, tudo volta.`]
      : []),
    absent,
  ];
}

/** What a booking costs, before the tap. */
export const doorRules = (door: DoorTerms | null, personal: string): Html | null =>
  door &&
  html`<h2>Pagamento e cancelamento</h2>
    <ul class="rules">
      ${doorInWords(door, { first: firstName(personal), hours: LAPSE_HOURS }).map((words) => html`<li>${words}</li>`)}
    </ul>`;

/** The same for the script, which sends back what was announced. */
export const doorData = (door: DoorTerms | null): string => (door ? JSON.stringify(door) : '');

/** The fields for the visitor's name and contact, and the text to agree to. */
export const whoFields = (version: keyof typeof consents) =>
  html`<div class="fields">
    <label>Nome<input name="nome" autocomplete="name" maxlength="80" required /></label>
    <div class="phone">
      <label
        >WhatsApp<input
          name="whatsapp"
          type="tel"
          inputmode="tel"
          autocomplete="tel"
          maxlength="24"
          placeholder="(11) 91234-5678"
          required /></label
      >${countryChoice(phoneCountries)}
    </div>
    <label
      >E-mail <span class="dim">(opcional)</span
      ><input name="email" type="email" inputmode="email" autocomplete="email" maxlength="254"
    /></label>
    <label class="trap" aria-hidden="true">Site<input name="site" tabindex="-1" autocomplete="off" /></label>
    <label class="check"
      ><input type="checkbox" name="consentimento" value="${version}" required /><span
        >${consents[version]}</span
      ></label
    >
  </div>`;
