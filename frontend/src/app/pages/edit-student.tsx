import { History } from '../../features/audit/history.js';
import { MonthlyPlan } from '../../features/charges/monthly-plan.js';
import { StudentCharges } from '../../features/charges/student-charges.js';
import { CreditAccount } from '../../features/credits/credit-account.js';
import { RenewButton } from '../../features/credits/renew-button.js';
import { RenewOptions } from '../../features/credits/renew-options.js';
import { Statement } from '../../features/credits/statement.js';
import { PlanField } from '../../features/plans/plan-field.js';
import { usePlanChoices, usePlanName } from '../../features/plans/plans.queries.js';
import { EditStudentPage } from '../../features/students/edit-student-page.js';

export default function EditStudent() {
  const planName = usePlanName();
  const plans = usePlanChoices();
  return (
    <EditStudentPage
      PlanField={PlanField}
      planName={planName}
      credits={({ id, nome, plano, arquivado, esquecido }) => (
        <CreditAccount
          studentId={id}
          closed={esquecido}
          renew={
            plano &&
            plano.creditos > 0 &&
            !arquivado && (
              <>
                <RenewButton
                  studentId={id}
                  studentName={nome}
                  planCredits={plano.creditos}
                  variant="filled"
                />
                {plano.valor > 0 && <RenewOptions studentId={id} studentName={nome} plan={plano} />}
              </>
            )
          }
        />
      )}
      charges={({ id, plano, arquivado, esquecido }) => (
        <>
          <StudentCharges studentId={id} planId={plano?.id ?? null} closed={arquivado || esquecido} />
          {!arquivado && !esquecido && (
            <MonthlyPlan
              studentId={id}
              planId={plano?.id ?? null}
              plans={plans.data?.items.filter(({ is_active, tipo }) => is_active && tipo === 'mensal')}
            />
          )}
        </>
      )}
      statement={(id) => <Statement studentId={id} />}
      history={(id) => <History kind="student" id={id} />}
    />
  );
}
