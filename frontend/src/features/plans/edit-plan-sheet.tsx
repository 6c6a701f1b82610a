import { planChanges, type Plan, type PlanChanges } from '../../../../backend/modules/plans/plans.api.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { PlanForm } from './plan-form.js';
import { useChangePlan } from './plans.queries.js';

/** Edits a plan; open while there is one. */
export function EditPlanSheet({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  return (
    <Sheet opened={plan !== null} onClose={onClose} title="Editar plano" beginsAtField="typed">
      {plan && <EditForm plan={plan} onDone={onClose} />}
    </Sheet>
  );
}

function EditForm({ plan, onDone }: { plan: Plan; onDone: () => void }) {
  const { mutateAsync } = useChangePlan(plan.id);

  const save = async (body: PlanChanges) => {
    await mutateAsync(body);
    onDone();
    toast.success('Plano atualizado');
  };

  return (
    <PlanForm
      schema={planChanges}
      plan={plan}
      submitLabel="Salvar"
      failure="Erro ao atualizar plano"
      save={save}
      Buttons={SheetActions}
    />
  );
}
