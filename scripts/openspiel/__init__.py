"""Our computer players at one table with the bots of OpenSpiel, an independent program; development only."""
