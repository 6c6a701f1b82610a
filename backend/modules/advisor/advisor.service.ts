import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { dateOf } from '../../platform/local-time.js';
import { inTurns } from '../../platform/turns.js';
import type { ChatMessage } from './advisor.api.js';
import { ListNames, ShowAdvisorSharing } from './advisor.queries.js';
import { BuiltInAdvisor } from './built-in-advisor.service.js';
import { unbackedAnswer } from './help.js';
import { ModelNames } from './model-names.js';
import { partsOf } from './names.js';
import { ModelServer } from './model-server.service.js';
import { Reading } from './reading.loads.js';
import { type Part, say } from './saying.js';
import { ACTS } from './intents.js';
import { isTalk, type Meaning, meaningsOf } from './understand.js';

/** Limits of the interpreted conversation, because interpreting takes quadratic time in the number of words. */
const MOST_QUESTIONS = 4;
const LONGEST_QUESTION = 500;
/** Limits of the conversation that the model gets. */
const MOST_MESSAGES = 10;
const LONGEST_MESSAGE = 1000;

/** The part of a conversation that the model gets. Figures of earlier answers are left out: it reads them again by its tools. */
const conversationOf = (messages: readonly ChatMessage[]): ChatMessage[] =>
  messages.slice(-MOST_MESSAGES).map(({ role, content }) => ({
    role,
    content: role === 'user' ? cut(content) : withoutFigures(cut(content)),
  }));
/** Shortens a text at a word's end, because half a name could not be recognised and masked. */
const cut = (content: string): string =>
  content.length <= LONGEST_MESSAGE ? content : content.slice(0, LONGEST_MESSAGE).replace(/\S*$/, '');
const withoutFigures = (content: string): string => content.replace(/(R\$ ?)?[-−]?\d[\d.,/]*%?/g, '…');

/** What the built-in advisor says of an order, or of a payment that is told. */
const OF_AN_ORDER: ReadonlySet<Meaning> = new Set(['undated', 'several', 'held']);

/** Whether the built-in advisor answers even with a language model: acts, greetings and thanks. */
const isOwn = (meaning: Meaning): boolean =>
  isTalk(meaning) || (typeof meaning === 'object' ? ACTS.has(meaning.intent) : OF_AN_ORDER.has(meaning));

/** Limits of an answer. */
export interface Waiting {
  signal: AbortSignal;
  /** Runs before the language model is asked; an error of it ends the answer. */
  beforeModel: () => Promise<void>;
}

/** Answers a question, by the language model if one is configured and allowed by the trainer, otherwise by itself. */
@Injectable()
export class Advisor {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly builtIn: BuiltInAdvisor,
    private readonly server: ModelServer,
  ) {}

  async answer(
    context: RequestContext,
    messages: readonly ChatMessage[],
    { signal, beforeModel }: Waiting,
  ): Promise<Part[]> {
    const today = dateOf(this.clock.now(), context.timezone);
    const reading = new Reading(this.queries, context, today, signal);
    const [students, former] = await Promise.all([
      reading.read(new ListNames(context)),
      reading.read(new ListNames(context, 'archived')),
    ]);
    // Names are taken apart in turns of the event loop, before the message is read in one.
    await inTurns([...students, ...former], 250, partsOf);
    const asked = messages
      .filter(({ role }) => role === 'user')
      .slice(-MOST_QUESTIONS)
      // What is cut off may take back what is read, so it leaves a mark.
      .map(({ content }) =>
        content.length > LONGEST_QUESTION ? `${content.slice(0, LONGEST_QUESTION)}…` : content,
      );
    const [message, ...before] = asked.toReversed() as [string, ...string[]];
    const meanings = meaningsOf(message, { today, students, former, before });
    const own = () => this.own(meanings, reading);
    if (!this.server.isConfigured || meanings.every(({ meaning }) => isOwn(meaning))) return own();
    const { envio } = await reading.read(new ShowAdvisorSharing(context));
    if (envio === 'nada') return own();
    await beforeModel();
    const removed = await reading.read(new ListNames(context, 'removed'));
    const names = new ModelNames({ active: students, archived: former, removed }, envio === 'com_nomes');
    const answer = await this.server.answer(conversationOf(messages), { reading, names });
    if (answer) return answer;
    const isUnderstood = meanings.every(({ meaning }) => typeof meaning === 'object');
    return unbackedAnswer(isUnderstood ? await own() : undefined);
  }

  /** The built-in advisor's answer to every question of a message. */
  private async own(meanings: ReturnType<typeof meaningsOf>, reading: Reading): Promise<Part[]> {
    const answers: Part[][] = [];
    for (const { meaning, asked } of meanings)
      answers.push(await this.builtIn.answer(meaning, asked, reading));
    return answers.flatMap((answer, n) => (n === 0 ? answer : say`\n\n${answer}`));
  }
}
