import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideChange, decideComplete, financialSettings } from './financial-settings.js';
import { defaultSettings, type OnboardingData } from './settings.api.js';

const answers: OnboardingData = {
  alunos_ativos: 20,
  tipo_atendimento: 'presencial',
  ticket_medio_mensal: 40_000,
  formas_cobranca: ['pix', 'dinheiro'],
  emite_recibo: true,
  faturamento_mensal_medio: 800_000,
  tipo_planos: 'mensal',
  faz_desconto: false,
  tem_politica_cancelamento: true,
  objetivos: ['mais alunos'],
  meta_faturamento_6meses: 6_000_000,
};
const fold = (events: ReturnType<typeof decideComplete>) => given(financialSettings, ...events);

describe('the first set-up', () => {
  it('fills the goals: a sixth for the month, and for the reserve its share of that', () => {
    const events = decideComplete(given(financialSettings), answers);
    expect(events.map(({ type }) => type)).toEqual(['OnboardingCompleted', 'FinancialSettingsChanged']);
    expect(events[0]!.data).toMatchObject({ formas_cobranca: 'pix, dinheiro', objetivos: 'mais alunos' });
    expect(fold(events)).toEqual({
      ...defaultSettings,
      meta_mensal: 1_000_000,
      meta_trimestral: 3_000_000,
      meta_anual: 12_000_000,
      meta_reserva: 200_000,
      completed: true,
    });
  });

  it('does not change goals that were set before, and sets none if no goal was entered', () => {
    const [changed] = decideChange(given(financialSettings), { ...defaultSettings, meta_mensal: 500_000 });
    expect(decideComplete(given(financialSettings, changed!), answers)).toHaveLength(1);
    expect(decideComplete(given(financialSettings), { ...answers, meta_faturamento_6meses: 0 })).toHaveLength(
      1,
    );
  });

  it('is answered once', () => {
    const events = decideComplete(given(financialSettings), answers);
    expect(decideComplete(fold(events), { ...answers, alunos_ativos: 1 })).toEqual([]);
  });
});

it('former settings come back only while those that replaced them stand', () => {
  const wanted = { ...defaultSettings, meta_mensal: 500_000 };
  const changed = decideChange(given(financialSettings), wanted);
  const back = { ...defaultSettings, se_ainda: wanted };
  expect(decideChange(fold(changed), back)).toEqual([
    { type: 'FinancialSettingsChanged', data: { meta_mensal: 0 } },
  ]);
  const newer = decideChange(fold(changed), { ...wanted, meta_anual: 9_000_000 });
  expect(() => decideChange(fold([...changed, ...newer]), back)).toThrow(
    expect.objectContaining({ code: 'changed_since' }),
  );
});

it('settings that stay as they are change nothing', () => {
  expect(decideChange(given(financialSettings), defaultSettings)).toEqual([]);
});
