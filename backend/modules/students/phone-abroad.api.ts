// Phones of other countries, by the metadata of Google's libphonenumber. A browser loads it only once somebody types such a number
// or looks for a country.
import { parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { callingCodeOf } from './phone-format.api.js';
import { type ReadAbroad, readAbroadBy } from './phone.api.js';

const calling = metadata.country_calling_codes;
const names = new Intl.DisplayNames('pt-BR', { type: 'region' });

export interface PhoneCountry {
  /** Its calling code, and its own letters unless it is the main one of several with the code: `44`, `44GG`. */
  value: string;
  code: string;
  name: string;
}

const byCountry = new Map(
  Object.entries(calling).flatMap(([code, [main, ...others]]) =>
    [main!, ...others].map((country): [string, PhoneCountry] => [
      country,
      {
        value: country === main ? code : `${code}${country}`,
        code,
        name: names.of(country) ?? country,
      },
    ]),
  ),
);
byCountry.delete('001');

/** All countries by name, but Brazil first. */
export const phoneCountries: readonly PhoneCountry[] = [...byCountry.values()].toSorted(
  (one, other) =>
    Number(other.code === '55') - Number(one.code === '55') || one.name.localeCompare(other.name, 'pt-BR'),
);

/** The country of a number as typed after a plus; null while its digits do not say which of those with its calling code. */
export const phoneCountryOf = (number: string): string | null =>
  byCountry.get(parsePhoneNumberFromString(number, metadata)?.country ?? '')?.value ?? null;

const wrongLength: Record<string, string> = { TOO_SHORT: ': faltam dígitos', TOO_LONG: ': sobram dígitos' };

/**
 * Taken is what has a possible length for its country: whether digits are in use changes faster than a library is updated. E.164
 * lacks the zero that is dialled only within some countries.
 */
function readAbroad(number: string): ReadAbroad {
  const found = parsePhoneNumberFromString(number, metadata);
  if (found?.isPossible()) return { e164: found.number, isKnown: found.isValid() };
  const wrong = validatePhoneNumberLength(number, metadata) ?? '';
  if (wrong === 'INVALID_COUNTRY') return { wrong: 'Confira o código do país' };
  const country = byCountry.get(found?.country ?? calling[callingCodeOf(number) ?? '']?.[0] ?? '');
  return { wrong: `Confira o número${country ? ` (${country.name})` : ''}${wrongLength[wrong] ?? ''}` };
}

readAbroadBy(readAbroad);
