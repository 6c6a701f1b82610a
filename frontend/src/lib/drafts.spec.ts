import { beforeEach, describe, expect, it } from '@jest/globals';
import { Drafts, type Place } from './drafts.js';

/** Behaves like a browser's storage: its entries are its own enumerable keys. */
function place(): Place & Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  const methods = {
    getItem: (key: string) => (stored[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => void (stored[key] = value),
    removeItem: (key: string) => void delete stored[key],
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(stored, name, { value, enumerable: false, writable: true });
  return stored as Place & Record<string, unknown>;
}

const rafaela = { userId: 'rafaela', tenantId: 'studio' };
const HOUR_MS = 60 * 60_000;

describe('drafts', () => {
  let device: ReturnType<typeof place>;
  let window: ReturnType<typeof place>;
  let now: number;

  /** The same device with another user, or in another window. */
  const drafts = (owner: typeof rafaela | null = rafaela) =>
    new Drafts({ device, window, owner: () => owner, now: () => now });

  beforeEach(() => {
    device = place();
    window = place();
    now = 0;
  });

  it('are restored, also in a new window', () => {
    drafts().write('aluno.novo', { nome: 'Ana Souza', observacoes: 'Dor no joelho' });
    expect(drafts().read('aluno.novo')).toEqual({ nome: 'Ana Souza', observacoes: 'Dor no joelho' });
    window = place();
    expect(drafts().read('aluno.novo')).toEqual({ nome: 'Ana Souza' });
    expect(drafts().read('plano.novo')).toEqual({});
  });

  it('store no contact data or descriptions of persons on the device, and no secrets anywhere', () => {
    drafts().write('aluno.novo', {
      nome: 'Ana Souza',
      whatsapp: '(11) 98765-4321',
      email: 'ana@example.com',
      cpf: '529.982.247-25',
      password: 'segredo',
    });
    expect(JSON.stringify(device)).not.toMatch(/98765|example/);
    expect(JSON.stringify([device, window])).not.toMatch(/529|segredo/);
  });

  it('are not shown to another user, nor in another tenant', () => {
    drafts().write('plano', { nome: 'Mensal' });
    expect(drafts({ ...rafaela, userId: 'bruno' }).read('plano')).toEqual({});
    expect(drafts({ ...rafaela, tenantId: 'gym' }).read('plano')).toEqual({});
    expect(drafts(null).read('plano')).toEqual({});
    drafts(null).write('plano', { nome: 'Anual' });
    expect(drafts().read('plano')).toEqual({ nome: 'Mensal' });
  });

  it('expire after a day', () => {
    drafts().write('plano', { nome: 'Mensal' });
    now = 23 * HOUR_MS;
    expect(drafts().read('plano')).toEqual({ nome: 'Mensal' });
    now = 24 * HOUR_MS;
    expect(drafts().read('plano')).toEqual({});
    drafts().tidy('rafaela');
    expect(device).toEqual({});
  });

  it('are deleted when the fields are emptied, and when the user signs out', () => {
    device.setItem('rende.auth', 'of others');
    drafts().write('plano', { nome: 'Mensal' });
    drafts().write('plano', {});
    expect(device).toEqual({ 'rende.auth': 'of others' });
    drafts().write('plano', { nome: 'Mensal' });
    drafts().tidy('bruno');
    expect(device).toEqual({ 'rende.auth': 'of others' });
    drafts().write('plano', { nome: 'Mensal', motivo: 'x' });
    drafts().tidy(null);
    expect([device, window]).toEqual([{ 'rende.auth': 'of others' }, {}]);
  });

  it('are not stored on a full device, and the form still works', () => {
    device.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(() => drafts().write('plano', { nome: 'Mensal' })).not.toThrow();
    expect(drafts().read('plano')).toEqual({});
  });
});
