import type { ReactNode } from 'react';
import { NativeSelect, TextInput } from '@mantine/core';
import {
  financialSettings,
  type FinancialSettings,
  type ShownSettings,
  type ZoneName,
  zoneNames,
} from '../../../../backend/modules/settings/settings.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { History } from '../../parts/history.js';
import { Card } from '../../ui/card.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import { Async, Skeletons } from '../../ui/states.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useSettings } from './settings.queries.js';

const goals = [
  ['meta_mensal', 'Meta mensal'],
  ['meta_trimestral', 'Meta trimestral'],
  ['meta_anual', 'Meta anual'],
  ['meta_reserva', 'Meta de reserva'],
] as const;
const shares = [
  ['imposto', 'Imposto (%)'],
  ['reserva', 'Reserva (%)'],
  ['operacional', 'Operacional (%)'],
  ['retirada', 'Retirada (%)'],
] as const;

/** "Real brasileiro (BRL)". */
function currencyName(code: string): string {
  const name = new Intl.DisplayNames('pt-BR', { type: 'currency' }).of(code) ?? code;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} (${code})`;
}

interface GoalsPageProps {
  /** The setting of the data that the advisor may send. */
  advisor: ReactNode;
}

/** "Configurações": the trainer's goals, and the allocation of receitas. */
export function GoalsPage({ advisor }: GoalsPageProps) {
  const settings = useSettings();
  return (
    <Page title="Configurações" back="/ajustes" width="narrow">
      <Async of={settings} skeleton={<Skeletons count={2} height={240} />}>
        {(data) => (
          <>
            <GoalsForm {...data} />
            <Section title="Moeda e fuso horário">
              <Card fields>
                <TextInput
                  label="Moeda"
                  description="Não pode ser trocada"
                  readOnly
                  value={currencyName(data.moeda)}
                />
                <ZoneField zone={data.fuso_horario} />
              </Card>
            </Section>
            {advisor}
            {/* There is no history before the onboarding. */}
            {data.completed_at !== null && (
              <Section title="Histórico">
                <History kind="settings" />
              </Section>
            )}
          </>
        )}
      </Async>
    </Page>
  );
}

/** The time zone, saved at once. */
function ZoneField({ zone }: { zone: string }) {
  const { mutateAsync, isPending } = useSend('PUT /settings/timezone');

  const choose = async (fuso_horario: ZoneName) => {
    try {
      await mutateAsync({ fuso_horario });
      toast.success(
        'Fuso horário salvo',
        takenBack(() => mutateAsync({ fuso_horario: zone as ZoneName, se_ainda: fuso_horario })),
      );
    } catch {
      toast.error('Erro ao salvar', { description: 'Não foi possível salvar o fuso horário.' });
    }
  };

  return (
    <NativeSelect
      label="Onde você atende"
      description="As sessões já agendadas não mudam: os horários delas passam a aparecer neste fuso."
      data={Object.entries(zoneNames).map(([value, label]) => ({ value, label }))}
      value={zone}
      disabled={isPending}
      onChange={({ currentTarget }) => void choose(currentTarget.value as ZoneName)}
    />
  );
}

function GoalsForm({ moeda: _money, fuso_horario: _zone, completed_at: _at, ...before }: ShownSettings) {
  const { mutateAsync } = useSend('PUT /settings');
  const form = useBodyForm({
    initialValues: Object.fromEntries([
      ...goals.map(([name]) => [name, formatAmount(before[name])]),
      ...shares.map(([name]) => [name, String(before[name])]),
    ]) as Record<keyof FinancialSettings, string>,
    schema: financialSettings,
    toBody: (values): unknown =>
      Object.fromEntries([
        ...goals.map(([name]) => [name, amountOf(values[name]) ?? 0]),
        ...shares.map(([name]) => [name, numberOf(values[name]) ?? 0]),
      ]),
    draft: 'configuracoes',
  });
  const total = shares.reduce((sum, [name]) => sum + (numberOf(form.values[name]) || 0), 0);

  const save = (body: FinancialSettings) => saveUndoably(mutateAsync, body, before);

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save,
        failure: 'Erro ao salvar',
        description: 'Não foi possível salvar as configurações.',
      })}
    >
      <Section title="Metas financeiras">
        <Card fields>
          {goals.map(([name, label]) => (
            <MoneyField key={name} label={label} {...form.getInputProps(name)} />
          ))}
          <Quiet size="xs">Sem meta mensal, usamos R$ 10.000,00.</Quiet>
        </Card>
      </Section>
      <Section title="Divisão de cada receita">
        <Card fields>
          <FieldPair>
            {shares.slice(0, 2).map(([name, label]) => (
              <TextInput key={name} label={label} inputMode="numeric" {...form.getInputProps(name)} />
            ))}
          </FieldPair>
          <FieldPair>
            {shares.slice(2).map(([name, label]) => (
              <TextInput key={name} label={label} inputMode="numeric" {...form.getInputProps(name)} />
            ))}
          </FieldPair>
          <Quiet size="xs" aria-live="polite">
            Total: {total}%{total === 100 ? '.' : ', precisa ser 100%.'} Vale para as próximas receitas.
          </Quiet>
        </Card>
      </Section>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
    </FormStack>
  );
}
