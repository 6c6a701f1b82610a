import { Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Icon } from '../../ui/icon.js';
import { idOf, useSignedIn } from '../../lib/me.js';
import { titleOf, useMembershipChoice } from '../use-membership-choice.js';
import classes from './membership-menu.module.css';

/** For a user with several memberships: the current one, and a menu to switch. */
export default function MembershipMenu() {
  const { memberships, membership } = useSignedIn();
  const choose = useMembershipChoice();
  const title = titleOf(membership, memberships);
  return (
    <Menu position="bottom-end" radius="md" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          className={classes.button}
          classNames={{ label: classes.title }}
          aria-label={`Trocar de conta: ${title}`}
          rightSection={<Icon name="down" size={18} />}
        >
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {memberships.map((each) => (
          <Menu.Item
            key={idOf(each)}
            aria-current={idOf(each) === idOf(membership) || undefined}
            onClick={() => choose(each)}
            rightSection={idOf(each) === idOf(membership) && <Icon name="check" size={18} />}
          >
            {titleOf(each, memberships)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
