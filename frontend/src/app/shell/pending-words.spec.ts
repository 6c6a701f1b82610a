import { describe, expect, it } from '@jest/globals';
import { sentWords } from './pending-words.js';

const session = 'A sessão de Ana Souza, 26/11/2026, 7:00,';
const write = (effect: string, title = '') => ({ effect, title });

describe('what was sent', () => {
  it('is named where it was one thing', () => {
    expect(sentWords([write('complete', session)])).toBe(`${session} foi marcada como feita.`);
    expect(sentWords([write('move', session)])).toBe(`${session} foi remarcada.`);
    expect(sentWords([write('renew', 'A renovação de Ana Souza')])).toBe(
      'A renovação de Ana Souza foi feita.',
    );
  });

  it('is counted by what it is about where it was more', () => {
    expect(
      sentWords(['complete', 'book', 'cancel', 'move', 'renew', 'record'].map((effect) => write(effect))),
    ).toBe('6 alterações enviadas: 4 de sessões, 1 de créditos e 1 de lançamentos.');
  });
});
