import { vocabulary } from './lexicon.js';
import { type Named, namesOf, whoIsMeant } from './names.js';
import { plain, seen, slips, type Word } from './text.js';

const WORD = /[\p{L}\p{M}]+/gu;
const EMAIL = /[^\s@]+@[^\s@]+/g;
/** Phones and CPFs: eight digits or more; dates are excluded later. */
const LONG_NUMBER = /\+?\d(?:[\s().-]{0,2}\d){7,}/g;
const LINKS = new Set(['de', 'da', 'do', 'dos', 'das']);
/** If a name fits more students than this, it is treated as unknown. */
const MOST_MEANT = 3;
/** Maximum of names that are looked up in one conversation; further ones are treated as unknown. */
const MOST_LOOKED_UP = 30;

const letters = (n: number): string =>
  n < 26 ? String.fromCodePoint(65 + n) : `${letters(Math.floor(n / 26) - 1)}${letters(n % 26)}`;

/** The names of students for the language model: their own if the trainer allows it, otherwise "Aluno A". */
export class ModelNames {
  private readonly byAlias = new Map<string, Named>();
  private readonly aliases = new Map<string, string>();
  private readonly lookedUp = new Map<string, string>();
  private readonly students: readonly Named[];
  private readonly activeIds: ReadonlySet<string>;
  private readonly parts: ReadonlySet<string>;
  private readonly typedParts: ReadonlySet<string>;
  private readonly known = new Map<string, boolean>();

  constructor(
    { active, archived, removed }: Record<'active' | 'archived' | 'removed', readonly Named[]>,
    private readonly withNames: boolean,
  ) {
    this.students = [...active, ...archived];
    this.activeIds = new Set(active.map(({ id }) => id));
    // Names of removed students are hidden, and the model gets no data about them.
    const hidden = [...this.students, ...removed];
    this.parts = namesOf(hidden);
    this.typedParts = new Set(hidden.flatMap(({ nome }) => seen(nome).toLowerCase().match(WORD) ?? []));
  }

  /** A student's name for the model, the same for the whole answer. */
  of(student: Named): string {
    if (this.withNames) return student.nome;
    const given = this.aliases.get(student.id);
    if (given) return given;
    const alias = `Aluno ${letters(this.aliases.size)}`;
    this.aliases.set(student.id, alias);
    this.byAlias.set(alias, student);
    return alias;
  }

  behind(alias: string): Named | undefined {
    return this.byAlias.get(alias);
  }

  /** The students that the model refers to; without names, only students whose alias it was given. */
  meant(text: string): readonly Named[] {
    if (this.withNames) return this.whoIs(text.slice(0, 200));
    const known = this.byAlias.get(text.trim());
    return known ? [known] : [];
  }

  /** A user's text without e-mail addresses and phone numbers, and with names replaced as by `of`. */
  mask(text: string): string {
    const bare = seen(text)
      .replace(EMAIL, '[e-mail]')
      .replace(LONG_NUMBER, (number) => (/^\d{4}-\d\d-\d\d$/.test(number) ? number : '[número]'));
    if (this.withNames) return bare;
    const words = [...bare.matchAll(WORD)];
    let [masked, from] = ['', 0];
    for (let n = 0; n < words.length; n += 1) {
      if (!this.isName(words[n]![0])) continue;
      let last = n;
      for (let next = n + 1; next < words.length; next += 1) {
        const [[word], before] = [words[next]!, words[next - 1]!];
        const between = bare.slice(before.index + before[0].length, words[next]!.index);
        if (/[^\s'’-]/.test(between)) break;
        if (this.isName(word)) last = next;
        else if (!LINKS.has(word)) break;
      }
      const [start, end] = [words[n]!.index, words[last]!.index + words[last]![0].length];
      masked += bare.slice(from, start) + this.aliasFor(bare.slice(start, end));
      [from, n] = [end, last];
    }
    return masked + bare.slice(from);
  }

  private aliasFor(name: string): string {
    const known = this.lookedUp.get(plain(name));
    if (known !== undefined) return known;
    if (this.lookedUp.size >= MOST_LOOKED_UP) return 'um aluno';
    const meant = this.whoIs(name);
    const isOne = meant.length > 0 && meant.length <= MOST_MEANT;
    const alias = isOne ? meant.map((student) => this.of(student)).join(' ou ') : 'um aluno';
    this.lookedUp.set(plain(name), alias);
    return alias;
  }

  /** The students with this name; archived ones only if no active student fits. */
  private whoIs(name: string): Named[] {
    const words: Word[] = (name.match(WORD) ?? []).map((typed) => ({
      typed,
      plain: plain(typed),
      isKnown: false,
    }));
    const { found } = whoIsMeant(words, this.students);
    const active = found.filter(({ id }) => this.activeIds.has(id));
    return active.length > 0 ? active : found;
  }

  /** Whether a word is a student's name: "Marco" if a student is called that, unlike "março"; also "Beatris" for Beatriz. */
  private isName(typed: string): boolean {
    const known = this.known.get(typed);
    if (known !== undefined) return known;
    const word = plain(typed);
    const isOne = vocabulary.has(word)
      ? this.typedParts.has(typed.toLowerCase()) && this.parts.has(word)
      : this.parts.has(word) || (word.length >= 4 && (this.isSlip(word) || this.isJoined(word)));
    this.known.set(typed, isOne);
    return isOne;
  }

  /** "AnaSouza", also where what stood between the names is not seen. */
  private isJoined(word: string): boolean {
    for (let at = 2; at <= word.length - 2; at += 1)
      if (this.parts.has(word.slice(0, at)) && this.parts.has(word.slice(at))) return true;
    return false;
  }

  private isSlip(word: string): boolean {
    for (const part of this.parts)
      if (part[0] === word[0] && Math.abs(part.length - word.length) <= 1 && slips(part, word) === 1)
        return true;
    return false;
  }
}
