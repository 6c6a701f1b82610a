import { expect, it } from '@jest/globals';
import { open } from '../../../spec/screen.js';
import VersionComparison from './version-comparison.js';

const version = (conteudo: string, versao = 1) => ({
  versao,
  titulo: 'Termo',
  conteudo,
  em: '2026-11-02T12:00:00.000Z',
  assinaturas: 0,
});
const shown = (before: string, after: string) => {
  open(<VersionComparison before={version(before)} after={version(after, 2)} />);
  const texts = (tag: string) => Array.from(document.querySelectorAll(tag), (each) => each.textContent);
  return { removed: texts('del'), added: texts('ins') };
};

it('a comparison of two versions shows the words that differ', () => {
  expect(shown('<p>Treino de 50 minutos.</p>', '<p>Treino de <strong>60</strong> minutos.</p>')).toEqual({
    removed: ['50'],
    added: ['60'],
  });
});

it('a comparison of two versions shows that the address of a link differs', () => {
  const link = (href: string) => `<p>Leia as <a href="${href}">regras</a>.</p>`;
  expect(shown(link('https://a.example/regras'), link('https://b.example/regras'))).toEqual({
    removed: ['a'],
    added: ['b'],
  });
});

it('a comparison of two versions shows each text once, however lists are nested and with text in no paragraph', () => {
  const text = (minutes: number) =>
    `Solto<ul><li>Treino<ul><li>de ${minutes} minutos</li></ul></li><li><p>Local</p></li></ul>`;
  expect(shown(text(50), text(60))).toEqual({ removed: ['50'], added: ['60'] });
  expect(document.querySelector('ins')!.parentElement!.textContent).toBe(
    'Termo\nSolto\nTreino\nde 5060 minutos\nLocal',
  );
});
