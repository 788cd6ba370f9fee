"""Earlier decisions: an index by words over the debates of a store and the decision records of a folder."""
