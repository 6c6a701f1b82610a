// Not `SA` by itself: it is how many people whose surname is Sá write it.
const COMPANY = /^(.*?\S)(?:[ ,–-]+(?:ltda|me|mei|epp|eireli|s[./] ?a)\.?)+$/i;

/** `Ana` of `Ana Souza`: how a person is spoken to and of; a company, who may pay, by all but its legal form: `Padaria do Bairro`. */
export const firstName = (nome: string): string => COMPANY.exec(nome)?.[1] ?? nome.split(' ')[0]!;
