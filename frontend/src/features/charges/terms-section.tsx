import { NativeSelect, TextInput } from '@mantine/core';
import {
  type ChargeTerms,
  chargeTermsChange,
  type ChargeTermsChange,
} from '../../../../backend/modules/charges/charge-terms.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { Card } from '../../ui/card.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './charges.module.css';
import { useChargeTerms } from './charges.queries.js';

/** Fine, interest and early discount of the charges that are issued from then on. */
export function TermsSection() {
  return (
    <Section title="Multa, juros e desconto">
      <Async of={useChargeTerms()} skeleton={<Skeletons count={1} height={320} />}>
        {(terms) => <TermsForm terms={terms} />}
      </Async>
    </Section>
  );
}

const discounts = [
  { value: 'nenhum', label: 'Sem desconto' },
  { value: 'desconto_percentual', label: 'Em porcentagem' },
  { value: 'desconto_valor', label: 'Em reais' },
];

function TermsForm({ terms }: { terms: ChargeTerms }) {
  const set = useSend('PUT /charge-terms');
  const { desconto_valor, desconto_percentual } = terms;
  const form = useBodyForm({
    initialValues: {
      // Hundredths of a percent are written as cents are.
      multa: formatAmount(terms.multa),
      juros: formatAmount(terms.juros),
      carencia_dias: String(terms.carencia_dias),
      desconto:
        desconto_valor > 0 ? 'desconto_valor' : desconto_percentual > 0 ? 'desconto_percentual' : 'nenhum',
      desconto_valor: formatAmount(desconto_valor),
      desconto_percentual: formatAmount(desconto_percentual),
      desconto_dias: String(terms.desconto_dias),
    },
    schema: chargeTermsChange,
    toBody: ({ desconto, ...values }): unknown => ({
      multa: amountOf(values.multa) ?? 0,
      juros: amountOf(values.juros) ?? 0,
      carencia_dias: numberOf(values.carencia_dias) ?? 0,
      desconto_valor: desconto === 'desconto_valor' ? amountOf(values.desconto_valor) : 0,
      desconto_percentual: desconto === 'desconto_percentual' ? amountOf(values.desconto_percentual) : 0,
      desconto_dias: desconto === 'nenhum' ? 0 : (numberOf(values.desconto_dias) ?? 0),
    }),
    check: ({ desconto, desconto_valor, desconto_percentual }) => {
      const typed = { desconto_valor, desconto_percentual }[desconto];
      return typed !== undefined && !amountOf(typed) ? { [desconto]: 'Informe o desconto' } : {};
    },
  });
  const save = (body: ChargeTermsChange) =>
    saveUndoably(set.mutateAsync, body, terms, 'Multa, juros e desconto salvos');
  const { desconto } = form.values;
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar multa e juros' })}>
      <Card className={classes.pay}>
        <FieldPair>
          <TextInput
            label="Multa (%)"
            description="Uma vez, no atraso. A lei permite até 2%."
            inputMode="decimal"
            {...form.getInputProps('multa')}
          />
          <TextInput
            label="Juros ao mês (%)"
            description="Contados por dia. A lei permite até 1%."
            inputMode="decimal"
            {...form.getInputProps('juros')}
          />
        </FieldPair>
        <TextInput
          label="Dias de tolerância"
          description="Quem paga até lá não paga multa nem juros."
          inputMode="numeric"
          {...form.getInputProps('carencia_dias')}
        />
        <NativeSelect
          label="Desconto para quem paga antes"
          data={discounts}
          {...form.getInputProps('desconto')}
        />
        {desconto !== 'nenhum' && (
          <FieldPair>
            {desconto === 'desconto_valor' ? (
              <MoneyField
                label="Desconto (R$)"
                description="Só em cobranças maiores que ele."
                {...form.getInputProps('desconto_valor')}
              />
            ) : (
              <TextInput
                label="Desconto (%)"
                inputMode="decimal"
                {...form.getInputProps('desconto_percentual')}
              />
            )}
            <TextInput
              label="Até quantos dias antes"
              description="0: até o dia do vencimento."
              inputMode="numeric"
              {...form.getInputProps('desconto_dias')}
            />
          </FieldPair>
        )}
        <Quiet size="xs">
          Valem para as cobranças novas. Taxas de cancelamento não têm multa nem juros. Combine isto por
          escrito: no contrato, use o campo “Multa, juros e desconto”.
        </Quiet>
      </Card>
      <SaveButton busy={form.submitting}>Aplicar às cobranças novas</SaveButton>
    </FormStack>
  );
}
