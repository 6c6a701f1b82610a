import { Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import {
  policyTerms,
  type Policy,
  type PolicyTerms,
} from '../../../../backend/modules/policies/policies.api.js';
import { useBodyForm } from '../../lib/form.js';
import { queuedNote } from '../../lib/pending.js';
import { numberOf } from '../../lib/number.js';
import { History } from '../../parts/history.js';
import { FieldPair } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { takenBack, toast } from '../../ui/toast.js';
import { ToldBox } from '../../ui/told-box.js';
import { usePolicyPreview, useSetPolicy } from './policies.queries.js';

interface EditPolicySheetProps {
  policy: Policy | null;
  onClose: () => void;
}

/** Edits the policy of a location; open while there is one. */
export function EditPolicySheet({ policy, onClose }: EditPolicySheetProps) {
  return (
    <Sheet
      opened={policy !== null}
      onClose={onClose}
      title={`Política · ${policy?.location_nome ?? ''}`}
      beginsAtField="typed"
    >
      {policy && (
        <>
          <PolicyForm policy={policy} onDone={onClose} />
          {!policy.padrao && (
            <Section title="Versões">
              <Quiet size="sm">Cada sessão segue a versão que valia quando foi agendada.</Quiet>
              <History kind="policy" id={policy.location_id} />
            </Section>
          )}
        </>
      )}
    </Sheet>
  );
}

const TYPING_PAUSE_MS = 300;

/** What recent cancellations would have cost under these terms; renders nothing without data. */
function PastCancellations({ locationId, terms }: { locationId: string; terms: PolicyTerms | undefined }) {
  const { data } = usePolicyPreview(locationId, terms);
  if (!data) return null;
  return (
    <ToldBox>
      {[data.passado!.texto, ...data.notas].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </ToldBox>
  );
}

interface TypedTerms {
  cancel_limite_horas: string;
  taxa_percent: string;
  queima_credito: boolean;
}

const bodyOf = ({ cancel_limite_horas, taxa_percent, queima_credito }: TypedTerms) => ({
  cancel_limite_horas: numberOf(cancel_limite_horas),
  taxa_percent: numberOf(taxa_percent),
  queima_credito,
});

function PolicyForm({ policy, onDone }: { policy: Policy; onDone: () => void }) {
  const { mutateAsync } = useSetPolicy(policy);
  const before: PolicyTerms = {
    cancel_limite_horas: policy.cancel_limite_horas,
    taxa_percent: policy.taxa_percent,
    queima_credito: policy.queima_credito,
  };
  const form = useBodyForm({
    initialValues: {
      cancel_limite_horas: String(policy.cancel_limite_horas),
      taxa_percent: String(policy.taxa_percent),
      queima_credito: policy.queima_credito,
    },
    schema: policyTerms,
    toBody: bodyOf,
    draft: `politica.${policy.location_id}`,
  });

  const save = async (terms: PolicyTerms) => {
    const answer = await mutateAsync({ changes: terms });
    onDone();
    toast.success('Política atualizada', {
      description: queuedNote(answer),
      ...takenBack(() => mutateAsync({ changes: { ...before, se_ainda: terms } })),
    });
  };

  const { cancel_limite_horas, taxa_percent, queima_credito } = form.values;
  const [typed] = useDebouncedValue(form.values, TYPING_PAUSE_MS);
  const tried = policyTerms.safeParse(bodyOf(typed)).data;
  return (
    <SheetForm form={form} save={save} submit="Salvar política">
      <FieldPair>
        <TextInput
          label="Prazo (horas antes)"
          inputMode="numeric"
          {...form.getInputProps('cancel_limite_horas')}
        />
        <TextInput label="Taxa (% da sessão)" inputMode="numeric" {...form.getInputProps('taxa_percent')} />
      </FieldPair>
      <Switch
        label="Desconta 1 crédito"
        description="Fora do prazo, o cancelamento desconta o crédito da sessão."
        {...form.getInputProps('queima_credito', { type: 'checkbox' })}
      />
      <Quiet size="sm">
        {termsInWords({
          cancel_limite_horas: Number(cancel_limite_horas),
          taxa_percent: Number(taxa_percent),
          queima_credito,
        })}
      </Quiet>
      <PastCancellations locationId={policy.location_id} terms={tried} />
    </SheetForm>
  );
}

/** "Cancelamento sem custo até 24 h antes. Depois disso, desconta 1 crédito e cobra 50% do valor da sessão." */
export function termsInWords({ cancel_limite_horas, taxa_percent, queima_credito }: PolicyTerms): string {
  const costs = [
    queima_credito ? 'desconta 1 crédito' : null,
    taxa_percent > 0 ? `cobra ${taxa_percent}% do valor da sessão` : null,
  ].filter((cost) => cost !== null);
  if (costs.length === 0) return 'Cancelamento sem custo a qualquer momento.';
  const until = cancel_limite_horas > 0 ? `até ${cancel_limite_horas} h antes` : 'até o início';
  return `Cancelamento sem custo ${until}. Depois disso, ${costs.join(' e ')}.`;
}
