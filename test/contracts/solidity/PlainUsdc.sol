// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev USDC as it is on BSC: 18 decimals, neither signed transfers (EIP-3009) nor permits (ERC-2612).
contract PlainUsdc is ERC20("USD Coin", "USDC") {
    constructor(address holder) {
        _mint(holder, 1_000_000 ether);
    }
}
