import { describe, expect, it } from '@jest/globals';
import { sentInWords } from './sending-words.js';

describe('the result of a sending', () => {
  const words = (enviados: number, sem_email: number, ja_assinados = 0) => {
    const { title, isSent } = sentInWords({
      enviados,
      ja_assinados,
      sem_email,
      retidos: 0,
      retido_por: null,
    });
    return [title, isSent];
  };

  it('counts students without an address apart, and does not call it sent if nobody got it', () => {
    expect(words(15, 3)).toEqual(['12 enviados · 3 sem e-mail', true]);
    expect(words(2, 1)).toEqual(['1 enviado · 1 sem e-mail', true]);
    expect(words(3, 3)).toEqual(['Nenhum e-mail enviado: 3 sem e-mail', false]);
    expect(words(1, 0)).toEqual(['Enviado para 1 aluno', true]);
    expect(words(0, 0, 2)).toEqual(['Todos já assinaram', false]);
  });

  it('says who has yet to get it, and who has signed', () => {
    expect(
      sentInWords({ enviados: 15, ja_assinados: 2, sem_email: 3, retidos: 0, retido_por: null }).description,
    ).toBe('A quem não tem e-mail, envie pelo WhatsApp: o link está em Assinaturas. 2 já assinaram.');
    const retido_por = 'Este e-mail já foi enviado há menos de 1 hora.';
    expect(
      sentInWords({ enviados: 1, ja_assinados: 0, sem_email: 0, retidos: 1, retido_por }).description,
    ).toBe(`${retido_por} O link está em Assinaturas.`);
    expect(
      sentInWords({ enviados: 1, ja_assinados: 0, sem_email: 0, retidos: 0, retido_por: null }).description,
    ).toBeUndefined();
  });
});
