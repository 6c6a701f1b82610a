const UNITS = [
  'zero',
  'um',
  'dois',
  'três',
  'quatro',
  'cinco',
  'seis',
  'sete',
  'oito',
  'nove',
  'dez',
  'onze',
  'doze',
  'treze',
  'quatorze',
  'quinze',
  'dezesseis',
  'dezessete',
  'dezoito',
  'dezenove',
];
const TENS = [
  '',
  '',
  'vinte',
  'trinta',
  'quarenta',
  'cinquenta',
  'sessenta',
  'setenta',
  'oitenta',
  'noventa',
];
const HUNDREDS = [
  '',
  'cento',
  'duzentos',
  'trezentos',
  'quatrocentos',
  'quinhentos',
  'seiscentos',
  'setecentos',
  'oitocentos',
  'novecentos',
];
const MILLION = 1_000_000;

/** "mil duzentos e trinta e quatro reais e cinquenta e seis centavos" from cents, below a thousand million reais. */
export function amountInWords(cents: number): string {
  if (!Number.isInteger(cents) || cents < 0 || cents >= 100_000 * MILLION) {
    throw new RangeError(`No words for ${cents} cents`);
  }
  const reais = Math.floor(cents / 100);
  const rest = cents % 100;
  const parts = [
    ...(reais > 0 || rest === 0 ? [`${numberInWords(reais)} ${currency(reais)}`] : []),
    ...(rest > 0 ? [`${numberInWords(rest)} ${rest === 1 ? 'centavo' : 'centavos'}`] : []),
  ];
  return parts.join(' e ');
}

/** Whole millions take a "de" before the currency. */
function currency(reais: number): string {
  if (reais === 1) return 'real';
  return reais >= MILLION && reais % MILLION === 0 ? 'de reais' : 'reais';
}

function numberInWords(number: number): string {
  if (number === 0) return UNITS[0]!;
  const millions = Math.floor(number / MILLION);
  const thousands = Math.floor((number % MILLION) / 1000);
  const groups = [
    { value: millions, words: `${below1000(millions)} ${millions === 1 ? 'milhão' : 'milhões'}` },
    { value: thousands, words: thousands === 1 ? 'mil' : `${below1000(thousands)} mil` },
    { value: number % 1000, words: below1000(number % 1000) },
  ].filter(({ value }) => value > 0);
  const last = groups.pop()!;
  const joint = last.value < 100 || last.value % 100 === 0 ? ' e ' : ' ';
  const before = groups.map(({ words }) => words).join(' ');
  return before === '' ? last.words : `${before}${joint}${last.words}`;
}

function below1000(number: number): string {
  if (number === 100) return 'cem';
  const [hundreds, rest] = [Math.floor(number / 100), number % 100];
  const [tens, units] = rest < 20 ? [0, rest] : [Math.floor(rest / 10), rest % 10];
  return [HUNDREDS[hundreds], TENS[tens], units > 0 && UNITS[units]].filter(Boolean).join(' e ');
}
