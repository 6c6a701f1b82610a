import { NativeSelect, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useAnswer } from '../../lib/answer.js';
import { type MakeUpRules, makeUpRules } from '../../../../backend/modules/credits/make-up.api.js';
import { useSend } from '../../lib/command.js';
import { choiceOf } from '../../lib/choices.js';
import { useBodyForm } from '../../lib/form.js';
import { reads } from '../../lib/topics.js';
import { Card } from '../../ui/card.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Page } from '../../ui/page.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './credits.module.css';

const RULES = reads('make-up-rules', []);

const deadline = (months: number) => {
  if (months === 0) return 'Fim do mês da sessão';
  return months === 1 ? 'Fim do mês seguinte' : `Fim do ${months}º mês seguinte`;
};

/** Settings of make-ups: whether sessions that are cancelled in time get one, and its deadline. */
export default function MakeUpPage() {
  const rules = useAnswer([RULES], 'GET /settings/make-up');
  return (
    <Page title="Reposição" subtitle="Sessões que o aluno desmarca no prazo" back="/ajustes" width="narrow">
      <Async of={rules} skeleton={<Skeletons count={1} height={280} />}>
        {(before) => <RulesForm before={before} />}
      </Async>
    </Page>
  );
}

function RulesForm({ before }: { before: MakeUpRules }) {
  const { mutateAsync } = useSend('PUT /settings/make-up');
  const form = useBodyForm({
    initialValues: {
      ativo: before.ativo,
      teto_percent: String(before.teto_percent),
      prazo_meses: String(before.prazo_meses),
    },
    schema: makeUpRules,
    toBody: ({ ativo, teto_percent, prazo_meses }): unknown => ({
      ativo,
      teto_percent: Number(teto_percent),
      prazo_meses: Number(prazo_meses),
    }),
    draft: 'reposicao',
  });
  const save = (body: MakeUpRules) => saveUndoably(mutateAsync, body, before);
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <Card className={classes.rules}>
        <Switch
          label="Dar reposição"
          description="Quando o aluno desmarca no prazo, um crédito que venceria antes vira reposição, com prazo próprio."
          {...form.getInputProps('ativo', { type: 'checkbox' })}
        />
        <NativeSelect
          label="Validade"
          data={choiceOf([0, 1, 2, 3, 6], before.prazo_meses, deadline)}
          {...form.getInputProps('prazo_meses')}
        />
        <NativeSelect
          label="Limite por mês"
          data={choiceOf([10, 20, 25, 30, 50, 100], before.teto_percent, (value) => `${value}% do plano`)}
          {...form.getInputProps('teto_percent')}
        />
        <p className={classes.hint}>
          O saldo não muda. A reposição é usada antes dos outros créditos, e cada aluno com plano tem direito
          a pelo menos uma por mês. Quando você desmarca, o crédito fica como está.
        </p>
      </Card>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
    </FormStack>
  );
}
