"""What tests of agents need, here and in other packages: a provider that answers by a script."""
