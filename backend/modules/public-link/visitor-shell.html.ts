import { html } from '../../platform/http/html.js';
import { countryChoice } from '../../platform/http/pages/shell.html.js';
import { dateFormat } from '../../platform/portuguese.js';
import { phoneCountries } from '../students/phone-abroad.api.js';
import { consents, CONSENT_VERSION } from './public-page.api.js';

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

/** The fields for the visitor's name and contact. */
export const whoFields = html`<div class="fields">
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
    ><input type="checkbox" name="consentimento" value="${CONSENT_VERSION}" required /><span
      >${consents[CONSENT_VERSION]}</span
    ></label
  >
</div>`;
