import type { ModelNames } from './model-names.js';
import type { Named } from './names.js';
import { linked, lines, type Part, say, studentLink } from './saying.js';
import { plain } from './text.js';

const LONGEST_ANSWER = 2_000;

/**
 * A text of the model in a form that may be shown: with normalised letters, without invisible characters and Markdown;
 * undefined if it is empty or too long.
 */
function plainAnswer(text: string): string | undefined {
  if (text.length > LONGEST_ANSWER * 2) return undefined;
  const clean = text
    .normalize('NFKC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/[*_`#~]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' || clean.length > LONGEST_ANSWER ? undefined : clean;
}

/** Numerals; without "um" and "uma", which are articles too. */
const AMOUNTS = [
  'zero dois duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze catorze quinze dezesseis dezessete',
  'dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento centos centas duzentos',
  'duzentas trezentos trezentas quatrocentos quatrocentas quinhentos quinhentas seiscentos seiscentas setecentos',
  'setecentas oitocentos oitocentas novecentos novecentas mil milhar milhares milhao milhoes bilhao bilhoes trilhao',
  'trilhoes dezena dezenas duzia duzias centena centenas metade dobro triplo quadruplo terco tercos reais centavo centavos',
  'two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety',
  'hundred hundreds thousand thousands million millions half double triple',
].flatMap((line) => line.split(' '));

/** One numeral, or several written as one word. */
const AMOUNT = new RegExp(`^(?:e?(?:${AMOUNTS.join('|')}))+$`);

/** Claims to have done something, which the model cannot do. */
const CLAIM =
  /\b(registrei|lancei|anotei|salvei|cobrei|emiti|agendei|marquei|desmarquei|cancelei|apaguei|exclui|alterei|enviei|mandei|paguei|transferi|dei baixa)\b/;

/**
 * Whether a text contains nothing that needs a fact: no number in digits or words, no currency and no percentage; and no links,
 * claims or characters that could mislead.
 */
function isBacked(text: string): boolean {
  if (/[\p{N}\p{Sc}%‰{}<>@\\|]/u.test(text)) return false;
  if (
    /\b(?:https?|ftp|file|data|javascript|mailto|tel):|www\.|\/\/|\]\(|\p{L}\.\p{L}/iu.test(text) ||
    CLAIM.test(plain(text))
  )
    return false;
  const words = plain(text).match(/\p{L}+/gu) ?? [];
  return words.every((word) => /^[a-z]+$/.test(word) && !AMOUNT.test(word));
}

/** A figure from a tool: what it is, its text, and the page that shows it. */
export interface Fact {
  o_que: string;
  texto: string;
  fonte: string;
  /** The student whom the figure is about. */
  aluno?: Named | undefined;
  /** The text is a date, not an amount, and is not listed among the figures. */
  isPeriod?: true;
}

/** A fact in the format for the model. */
interface ToldFact {
  id: string;
  o_que: string;
  texto: string;
  aluno?: { id: string; nome: string };
}

/** Maximum of facts for one answer; more than an answer can contain. */
const MOST_FACTS = 300;

/**
 * Checks the model's text, which refers to facts by ids; the server fills in the figures. A text with a number of its own, or
 * without any fact, is rejected.
 */
export class ModelFacts {
  private readonly facts = new Map<string, Fact>();
  private readonly people = new Map<string, Named>();

  constructor(private readonly names: ModelNames) {}

  get isFull(): boolean {
    return this.facts.size >= MOST_FACTS;
  }

  tell(facts: readonly Fact[]): ToldFact[] {
    return facts.map((fact) => {
      const id = `f${this.facts.size + 1}`;
      this.facts.set(id, fact);
      const { o_que, texto, aluno } = fact;
      return { id, o_que, texto, ...(aluno && { aluno: this.person(aluno) }) };
    });
  }

  /** The answer for a text of the model; undefined if the text has no fact, or a number without a fact. */
  answer(text: string): Part[] | undefined {
    const clean = plainAnswer(text);
    if (clean === undefined) return undefined;
    const used = new Set<Fact>();
    const parts: Part[] = [];
    // Every second piece is a placeholder's id.
    const pieces = clean.split(/\{\{\s*([a-z]\d{1,4})\s*\}\}/);
    for (const [n, piece] of pieces.entries()) {
      if (n % 2 === 0) {
        if (!isApart(piece, n > 0, n < pieces.length - 1)) return undefined;
        const said = this.words(piece);
        if (!said) return undefined;
        parts.push(...said);
        continue;
      }
      const [fact, person] = [this.facts.get(piece), this.people.get(piece)];
      if (fact) {
        used.add(fact);
        parts.push(linked(fact.texto, fact.fonte));
      } else if (person) parts.push(linked(person.nome, studentLink(person.id)));
      else return undefined;
    }
    const figures = [...used].filter(({ isPeriod }) => !isPeriod);
    return figures.length === 0 ? undefined : say`${parts}\n\nNúmeros usados:${lines(figures.map(labelled))}`;
  }

  private person(student: Named): { id: string; nome: string } {
    const known = [...this.people].find(([, { id }]) => id === student.id);
    const id = known?.[0] ?? `a${this.people.size + 1}`;
    this.people.set(id, student);
    return { id, nome: this.names.of(student) };
  }

  /** Text between placeholders, in which "Aluno A" is replaced by the student's name. */
  private words(text: string): Part[] | undefined {
    const parts: Part[] = [];
    for (const [n, piece] of text.split(/\b(Aluno [A-Z]{1,3})\b/).entries()) {
      const student = this.names.behind(piece);
      if (n % 2 === 1 && student) parts.push(linked(student.nome, studentLink(student.id)));
      else if (n % 2 === 0 && isBacked(piece)) parts.push({ content: piece });
      else return undefined;
    }
    return parts;
  }
}

/** Whether a text does not change the figures around it: no sign, digit or letter is adjacent to them. */
function isApart(text: string, isAfter: boolean, isBefore: boolean): boolean {
  if (isAfter && isBefore && text === '') return false;
  return !(isAfter && /^\p{L}/u.test(text)) && !(isBefore && /[^\s("“:]$/u.test(text));
}

const labelled = ({ o_que, aluno, texto, fonte }: Fact): Part[] =>
  say`${o_que}${aluno ? say`, ${linked(aluno.nome, studentLink(aluno.id))}` : ''}: ${linked(texto, fonte)}`;
